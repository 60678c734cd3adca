presto profile --set measure.min_run_time=0 --samples 8 --runs 1 --cache none --codec none --store tar --split raw \
    "$SMALL_PHOTOS/photos.conf" >/dev/null 2>&1
presto recommend --min-throughput 1000000000
