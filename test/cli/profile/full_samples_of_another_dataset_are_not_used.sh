# The file is of a large dataset, and what is profiled is another one.
cat >large.conf <<'C'
[dataset]
source = folder
path = large
match = *.jpg
full_samples = 1281167

[pipeline]
decoded = jpeg_decode
resized = resize size=32x32

[strategies]
split = resized
store = tar
codec = none

[load]
cache = none

[measure]
runs = 1
min_run_time = 0
probe = no
C
full() {
	presto report --csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "full_storage_bytes") f = i; else if ($i == "storage_bytes") s = i }
	    NR == 2 { print int($f / $s * 24 + 0.5) " samples" }'
}
profile() {
	presto profile large.conf "$@" 2>&1 >/dev/null | grep full_samples || echo "not a word"
	full
}
profile --set dataset.path="$SMALL_PHOTOS"
profile --set dataset.path="$SMALL_PHOTOS" --set dataset.full_samples=5000
ln -s "$SMALL_PHOTOS" large
profile
echo "-- it is said once, and not measured"
presto show large.conf --set dataset.path="$SMALL_PHOTOS" 2>&1 | grep -c full_samples
presto profile --dry-run large.conf --set dataset.path="$SMALL_PHOTOS" 2>&1 | grep -c full_samples
