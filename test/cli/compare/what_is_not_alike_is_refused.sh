# Names and places do not count; the pipeline, the samples and the machine do.
cp "$MEASURED" base.db
cp -r "$SMALL_PHOTOS" moved
presto profile --set measure.min_run_time=0 --samples 8 --runs 6 --cache system --threads 1 --codec none --store tar \
    --split resized --name other --db moved.db moved/photos.conf >/dev/null 2>&1
calm moved.db
presto compare moved.db base.db >text
grep 'note  ' text
grep -c 'only in new' text
presto profile --set measure.min_run_time=0 --set pipeline.resized='resize shorter=256 filter=box' --samples 7 --runs 6 \
    --seed 9 --cache system --threads 1 --codec none --store tar --split resized --db other.db "$SMALL_PHOTOS/photos.conf" \
    >/dev/null 2>&1
calm other.db
sqlite3 other.db 'UPDATE session SET source_bytes = NULL'
presto compare base.db other.db 2>err || echo "exit $?"
cat err
presto compare base.db other.db --force --threshold 99% >text || echo "exit $?"
grep differs text
sqlite3 moved.db 'UPDATE session SET cpu = "another"'
presto compare moved.db base.db 2>err || echo "exit $?"
grep -o 'CPU: another in BASE' err
