# Every fourth photograph is cut short.
mkdir data
n=0
for photo in $(find "$SMALL_PHOTOS" -name '*.jpg' | sort); do
	n=$((n + 1))
	cp "$photo" "data/img$n.jpg"
	[ $((n % 4)) -ne 1 ] || truncate -s 200 "data/img$n.jpg"
done
cat >skip.conf <<'C'
[dataset]
source = folder
path = data
match = *.jpg
on_error = skip

[pipeline]
decoded = jpeg_decode
resized = resize size=32x32

[strategies]
split = raw, resized
store = tar, tfrecord
codec = none

[load]
cache = none, application
threads = 1, 2

[measure]
runs = 2
min_run_time = 0
probe = no
C
said() { # of the warnings only what is about samples
	sed -n 's/^presto: warning: \(.*skipped.*\)/\1/p' err
}
status() {
	local rc=0
	"$@" >out 2>err || rc=$?
	echo "exit status $rc"
}
echo "-- profile"
status presto profile skip.conf
said
grep -c img err
status presto profile skip.conf --skipped profile.txt
cat profile.txt
presto report --json | grep -c 'samples were skipped'
echo "-- materialize"
status presto materialize skip.conf --strategy resized/tar --out first
said
echo old >list.txt
status presto materialize skip.conf --strategy resized/tar --out second --skipped list.txt
said
diff list.txt profile.txt && echo same
echo "-- what was complete is not read"
status presto materialize skip.conf --strategy resized/tar --out second --skipped none.txt
said
ls none.txt 2>/dev/null || echo "no list"
echo "-- where no list can be"
mkdir folder
status presto profile skip.conf --skipped folder --db new.db
cat err
status presto materialize skip.conf --strategy resized/tar --out third --skipped folder
cat err
status presto materialize skip.conf --strategy resized/tar --out third --skipped no/such/folder
cat err
ls new.db third 2>/dev/null || echo "nothing was written"
echo "-- a dry run writes nothing"
status presto profile --dry-run skip.conf --skipped none.txt
ls none.txt 2>/dev/null || echo "no list"
