presto show "$PHOTOS/photos.conf" | grep -v "photos.conf: source"
