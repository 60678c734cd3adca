presto profile --dry-run --store tar --codec none,jpeg,delta+zstd:1,shuffle+lz4 \
    "$SMALL_PHOTOS/photos.conf" 2>log | grep / | cut -d' ' -f1 | sort
grep 'left out' log
