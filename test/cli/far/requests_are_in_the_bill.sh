# An epoch of unprocessed files has a request for each: a million samples and ten
# epochs at 0.4 a million.  The same files on this machine cost nothing.
. "$here/../far/s3.sh"
mkdir -p store/photos/in
find "$SMALL_PHOTOS" -name '*.jpg' | sort | head -8 | xargs cp -t store/photos/in
s3_start store
cat >photos.conf <<'C'
[dataset]
source = folder
path = s3://photos/in

[pipeline]
decoded = jpeg_decode

[strategies]
split = unprocessed

[load]
cache = none

[measure]
min_run_time = 0
runs = 1
epochs = 1
probe = no
C
cat >prices.conf <<'C'
[prices]
currency = EUR
request_1000 = 0.0004
write_1000 = 0.005
C
bill() { # DATABASE PATH
	echo "-- $2"
	presto profile photos.conf --set dataset.path="$2" \
	    --set dataset.full_samples=1000000 --threads 1 --db "$1" >/dev/null 2>&1
	sqlite3 -header "$1" "SELECT strategy, far, requests_per_sample FROM v_trial"
	presto recommend --db "$1" --objective cost --prices prices.conf --epochs 10 |
	    sed -n 's/^  cost  *//p'
	presto recommend --db "$1" --objective cost --prices prices.conf --epochs 10 \
	    --format json | grep '"requests"'
	presto report --db "$1" --json >report.json
	presto recommend --from report.json --objective cost --prices prices.conf \
	    --epochs 10 --format json | grep '"requests"'
}
bill far.db s3://photos/in
bill near.db store/photos/in
