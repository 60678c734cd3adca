sed "s/^resized.*/resized = resize size=240/" "$PHOTOS/photos.conf" >"$PHOTOS/fixed.conf"
presto profile --dry-run --store npy,tar --codec none "$PHOTOS/fixed.conf" 2>log | grep / | cut -d' ' -f1 | sort
grep 'left out' log
presto materialize "$PHOTOS/fixed.conf" -s resized/npy -o out --shards 2 | cut -d, -f1
ls out
dd if=out/shard-000001.npy bs=1 skip=10 count=70 2>/dev/null
echo
if presto materialize "$PHOTOS/fixed.conf" -s decoded/npy -o other 2>&1; then
	echo "it was stored"
fi
test -e other || echo "nothing was written"
