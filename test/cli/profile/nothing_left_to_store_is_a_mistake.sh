presto profile --split raw --codec jpeg "$PHOTOS/photos.conf"
