presto profile --set measure.min_run_time=0 --samples 6 --runs 2 --split all --store files,tar,tfrecord \
    --codec none,zstd:1 --cache none,system --threads 1,2 --shards 3 \
    "$SMALL_PHOTOS/photos.conf" >/dev/null 2>log
presto report --csv | cut -d, -f4,6-12,14,30,31
ls -A
