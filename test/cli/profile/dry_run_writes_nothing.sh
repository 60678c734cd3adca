presto profile --dry-run "$PHOTOS/photos.conf" | cut -d' ' -f1
ls -A
