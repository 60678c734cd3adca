# Several fields, sides that differ, files as they came, images as codec, steps
# without words, and names that Python must quote.
mkdir -p 'a "b" \c/photos'
cd 'a "b" \c' || exit 9
for photo in "$SMALL_PHOTOS"/*/*[05].jpg; do
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
		presto snippet out --for $framework >program.py 2>/dev/null || continue
		mkdir -p "programs/$strategy"
		mv program.py "programs/$strategy/$framework.py"
		echo "$strategy $framework" >>made
	done
	rm -r out
done
python3 - <<'END'
import ast, re
for line in open("made"):
    strategy, framework = line.split()
    with open(f"programs/{strategy}/{framework}.py") as file:
        program = file.read()
    try:
        ast.parse(program)
    except SyntaxError:
        print(f"{strategy} {framework}: no Python")
    steps = re.findall(r".*# presto: (\S+)", program)
    print(f"{strategy} {framework}:", *steps, "")
END
