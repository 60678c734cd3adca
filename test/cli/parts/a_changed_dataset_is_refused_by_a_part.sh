# A part looks at the files of its own samples; what changed is named.  Files
# that are added are not seen: the listing is that of the first part.
cp -r "$SMALL_PHOTOS" photos
conf=photos/photos.conf
write() {
	presto materialize $conf -s resized/tar/none --shuffle no --shards 4 \
	    -o out --part "$1/2" 2>&1 | sed 's/, read back.*//'
}
write 0
last=$(find photos -name '*.jpg' | LC_ALL=C sort | tail -n 1)
cp "$last" "${last%.jpg}-new.jpg"
first=$(find photos -name '*.jpg' | LC_ALL=C sort | head -n 1)
touch "$first"
printf x >>"$last"
write 1 | sed 's/which .*//; s/beach[^ ]*/FILE/; s/photos[^ :;]*/PHOTO/g'
truncate -s -1 "$last"
touch -r "$last" stamp
