presto profile --set measure.min_run_time=0 --samples 12 --runs 1 --cache none --codec none --store tar --max-disk 3MB \
    "$PHOTOS/photos.conf" >/dev/null 2>log
presto report --csv | cut -d, -f4,12
grep -c 'there is room for .* MB (--max-disk)$' log
