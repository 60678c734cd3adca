cat >small.conf <<'END'
[dataset]
source = folder
path = .
match = *.jpg
label = directory
[pipeline]
decoded = jpeg_decode
small = resize size=32x32
centered = center
cropped = random_crop size=28
[measure]
seed = 7
END
ln -s "$SMALL_PHOTOS"/*/ .
write() {
	presto materialize small.conf -s small/npy/none -o out --shards 2 "$@" 2>/dev/null |
		sed 's/[0-9.]* [mku]*[Bs]\b/N/g'
}
write
sed 's/"\(presto\|libraries\|fingerprint\)": .*/"\1": ...,/; /"pipeline":/d' out/dataset.json
sed 's/presto [0-9.]*\. /presto V. /' out/README.md
# What people add to README.md stays; dataset.json is made again.
echo mine >>out/README.md
cp out/dataset.json before
write
rm out/dataset.json
write
cmp before out/dataset.json
write --check
tail -n 1 out/README.md
# Damaged, it is an error with its name, and --check mends it.
echo '{ "version": 1 }' >out/dataset.json
presto show out || echo "exit $?"
write --check
cmp before out/dataset.json
