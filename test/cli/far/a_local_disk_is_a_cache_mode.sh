# Cache disk: the first epoch of each run reads the server, the later ones the
# local disk.  It is for unprocessed only, and leaves nothing in the folder.
root=$(realpath "$(dirname "$0")/../../..")
cat >raw.conf <<C
[dataset]
source = folder
path = $SMALL_PHOTOS
match = *.jpg

[pipeline]
decoded = jpeg_decode
resized = resize shorter=64
C
presto materialize raw.conf --strategy raw/tar/none --shuffle no --shards 2 --out packed >/dev/null
sed -e 's,^source.*,source = tar,' -e '/^match/d' \
    -e 's,^path.*,path = URL/packed/shard-{000000..000001}.tar,' raw.conf >far.conf
cat >>far.conf <<'C'

[storage]
cache = kept size=100MB
C
cat >run.sh <<'R'
sed -i "s,URL,$URL," far.conf
profile() { # EPOCHS
	: >log
	presto profile far.conf --split resized --store tar --codec none --threads 1 --runs 2 \
	    --epochs "$1" --cache none,disk --set measure.min_run_time=0 \
	    --set measure.probe=no --db "$1.db" >table 2>err || cat err
	grep -c ^GET log
}
few=$(profile 2)
many=$(profile 21)
# Read anew, 38 more epochs of two files would be 76 requests at least; other
# parts of a session take a few more or less.
[ "$many" -lt $((few + 50)) ] && echo 'more epochs, no more requests' || echo "$few, $many requests"
R
python3 "$root/test/far/http_server.py" --log log . bash -eu run.sh
presto report --db 21.db --csv | cut -d, -f4,11,12,14,30 | sort
sqlite3 21.db "SELECT run, count(*), sum(samples) FROM run JOIN trial ON trial.id = trial
    WHERE cache = 'disk' AND NOT warmup GROUP BY run"
presto recommend --db 21.db | grep -c 'cache disk'
find kept
presto profile raw.conf --cache disk --db no.db || echo "exit $?"
sed -i '/^cache/d' far.conf
presto profile far.conf --cache disk --db no.db 2>&1 | sed 's,http://[^ ]*,URL,'
