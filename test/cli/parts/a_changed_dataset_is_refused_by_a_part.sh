# A part looks at the files of its own samples; what changed is named.  Files
# that are added are not seen: the listing is that of the first part.
cp -r "$SMALL_PHOTOS" photos
conf=photos/photos.conf
write() {
	presto materialize $conf -s resized/tar/none --shuffle no --shards 4 \
	    -o out --part "$1/2" 2>err || echo "status $?"
	sed '/writing/d; /parts are complete/d' err
}
tidy() {
	sed -e 's/, read back.*//' -e 's/photos[^ :;]*jpg/PHOTO/g' \
	    -e 's/[^ ]*IMG_[0-9]*.jpg/FILE/' -e 's/has [0-9]* bytes.*/has other bytes.../' -e 's/was modified at .*/was modified.../'
}
write 0 | tidy
first=$(find photos -name '*.jpg' | LC_ALL=C sort | head -n 1)
last=$(find photos -name '*.jpg' | LC_ALL=C sort | tail -n 1)
cp "$last" "${last%.jpg}-new.jpg"
touch "$first"
cp -p "$last" kept
printf x >>"$last"
write 1 | tidy
cp kept "$last"
write 1 | tidy
cp -p kept "$last"
write 1 | tidy
