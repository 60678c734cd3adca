. "$here/../far/s3.sh"
. "$here/photos"
copy_photos store/photos/in 8
s3_start store
write_photos_conf s3://photos/in 'decoded = jpeg_decode' 'resized = resize size=32'
cat >>photos.conf <<'C'

[strategies]
split = resized
store = tar, npy
codec = none

[load]
threads = 2
cache = none, system

[measure]
runs = 2
min_run_time = 0
C
presto profile photos.conf --db far.db >/dev/null 2>err.txt
grep -c 'no page cache here' err.txt
presto report --db far.db --csv | cut -d, -f4,11,12,30 | sort
echo "-- an object that was put anew"
first=$(find store/photos/in -name '*.jpg' | sort | head -1)
printf x | dd of="$first" bs=1 seek=1000 conv=notrunc 2>dd.txt
presto materialize --db far.db --strategy resized/tar/none --out out 2>&1 >/dev/null |
    tr '\n' ' ' | sed 's/  */ /g; s/[A-Za-z0-9_]*\.jpg/NAME/'
echo
grep -rlw word-of-the-test --exclude-dir=store . || echo "the secret is nowhere"
