mkdir theirs
echo keep >theirs/mine.txt
presto materialize "$SMALL_PHOTOS/photos.conf" --strategy raw/tar/none --out theirs && exit 9
ls -A theirs
exit 2
