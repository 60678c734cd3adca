# Several fields, sides that differ, files as they came, images as codec, steps
# without words, and names that Python must quote.
mkdir -p 'a "b" \c/photos'
cd 'a "b" \c' || exit 9
for photo in "$SMALL_PHOTOS"/*/*.jpg; do
	cp "$photo" photos
	cp "$photo" "photos/$(basename "$photo" .jpg).second.jpg"
done
cat >fields.conf <<'END'
[dataset]
source = folder
path = photos
fields = image:jpg,mask:second.jpg
[pipeline]
decoded = image_decode field=image,mask
small = resize size=32x32 field=image,mask
cropped = random_crop size=28 field=image,mask
blurred = gaussian_blur kernel=3 field=image
centered = center field=image
END
for strategy in raw/tar/none raw/tar/gzip raw/files/none raw/tfrecord/none \
	decoded/tar/none decoded/tfrecord/gzip decoded/files/none \
	small/tar/png small/tfrecord/jpeg small/files/png \
	small/tar/none small/tfrecord/none small/npy/none small/files/none; do
	presto materialize fields.conf -s "$strategy" -o out --shards 2 >/dev/null 2>&1 || echo "$strategy: not stored"
	for framework in webdataset pytorch tensorflow numpy jax dali; do
		presto snippet out --for "$framework" >program.py 2>/dev/null || continue
		python3 -c 'import ast, sys; ast.parse(sys.stdin.read())' <program.py || echo "$strategy $framework: no Python"
		echo "$strategy $framework: $(grep "# presto: " program.py | sed "s|.*presto: ||; s| .*||" | tr "\n" " ")"
	done
	rm -r out program.py
done
