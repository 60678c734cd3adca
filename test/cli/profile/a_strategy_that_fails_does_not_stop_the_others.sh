mkdir photos
# Too long for a file name, with the ending of a compressed file behind it.
key=$(printf 'k%.0s' $(seq 248))
cp "$(find "$SMALL_PHOTOS" -name '*.jpg' | sort | head -n 1)" "photos/$key.jpg"
cat >long.conf <<'C'
[dataset]
source = folder
path = photos

[pipeline]
decoded = jpeg_decode

[strategies]
split = raw
store = files, tar

[load]
cache = none

[measure]
runs = 1
min_run_time = 0
C
status=0
presto profile --codec none,zstd:1 long.conf >/dev/null 2>log || status=$?
echo "status $status"
presto report --csv | cut -d, -f4,12
grep -c 'strategies failed' log
