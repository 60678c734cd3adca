cp -r "$SMALL_PHOTOS" photos
victim=$(find photos -name '*.jpg' | sort | sed -n 5p)
head -c 300 "$victim" >cut
mv cut "$victim"
presto profile --set measure.min_run_time=0 --samples 24 --runs 1 --codec none photos/photos.conf >/dev/null 2>log && exit 9
grep -q "$(basename "$victim")" log && echo named
grep -o '; dataset.on_error.*' log
presto profile --set measure.min_run_time=0 --samples 24 --runs 1 --codec none --db skip.db --store tar \
    --set dataset.on_error=skip --cache none photos/photos.conf >/dev/null 2>log
grep -c "$(basename "$victim")" log
presto report --db skip.db | grep -o '24 of 24 samples.* extrapolated'
presto report --csv --db skip.db | cut -d, -f4,14
