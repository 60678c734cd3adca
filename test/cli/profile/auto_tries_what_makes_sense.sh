presto profile --dry-run --store tar --codec auto,gzip "$SMALL_PHOTOS/photos.conf" \
    2>log | grep / | cut -d' ' -f1 | sort
grep -c 'left out' log || true
