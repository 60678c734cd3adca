presto profile --split raw --codec jpeg "$SMALL_PHOTOS/photos.conf"
