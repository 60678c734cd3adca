# A word that is none is a mistake, in the file as on the command line; objectives of a search, too.
presto profile --search atuo "$PHOTOS/photos.conf" 2>&1 >/dev/null | sed "s,$PHOTOS/,,"
presto profile --set measure.search=some "$PHOTOS/photos.conf" 2>&1 >/dev/null | sed "s,$PHOTOS/,,"
presto profile --objective time "$PHOTOS/photos.conf" 2>&1 >/dev/null | sed "s,$PHOTOS/,,"
presto profile --objective cost --set decision.epochs=3 "$PHOTOS/photos.conf" 2>&1 >/dev/null | sed "s,$PHOTOS/,,"
