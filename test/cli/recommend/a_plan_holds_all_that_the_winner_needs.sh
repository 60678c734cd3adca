# The plan alone is enough, from any folder; data and code are compared.
mkdir -p here/data away
find "$SMALL_PHOTOS" -name '*.jpg' | sort | head -n 12 | xargs cp -pt here/data
cat >here/photos.conf <<'C'
[dataset]
source = folder
path = data
match = *.jpg
[pipeline]
decoded = jpeg_decode
resized = resize size=24x24
cropped = random_crop size=20
[strategies]
split = decoded, resized
codec = none, zstd:1
[load]
threads = 1
cache = none
[measure]
runs = 2
min_run_time = 0
probe = no
C
cd away
export PRESTO_DB=p.db
presto profile ../here/photos.conf --set pipeline.resized='resize size=32x32' >/dev/null 2>&1
fastest() { # STRATEGY: whatever else the machine did
	sqlite3 "$PRESTO_DB" "UPDATE run SET wall_ns = wall_ns * 1000; UPDATE run SET wall_ns = 1000 WHERE trial IN
	    (SELECT trial.id FROM trial JOIN strategy ON strategy.id = strategy WHERE label = '$1')"
}
fastest resized/tar/none
say() {
	local status=0
	"$@" >out 2>&1 || status=$?
	grep -v '%: writing' out | sed 's/ in [0-9.]* [a-zµ]*s$//; s/[0-9.]* [kM]B/N/g'
	[ $status -eq 0 ] || echo "exit status $status"
}
echo "-- the plan"
say presto recommend --plan ../here/best.plan -o /dev/null
sed -nE '/^(folder|pipeline|strategy|split|store|codec|threads|cache|resized|path|samples|files|total_samples|objective) = /p; /^\[/p' ../here/best.plan
presto recommend --plan - | sed -n '/^strategy = /p'
echo "-- what is there stays"
echo mine >mine.txt
say presto recommend --plan mine.txt -o /dev/null
say presto recommend --plan none/best.plan -o /dev/null
say presto recommend --plan best.plan --private
say presto recommend --plan ../here/best.plan -o /dev/null
echo "-- materialized, as by its name"
say presto materialize --plan ../here/best.plan --shards 1 --out planned
presto materialize ../here/photos.conf --strategy resized/tar/none --shards 1 --out named \
    --set pipeline.resized='resize size=32x32' >/dev/null 2>&1
diff <(cat planned/*.tar | sha256sum) <(cat named/*.tar | sha256sum) && echo same
say presto materialize --plan ../here/best.plan --strategy raw/tar/none --out none
say presto materialize ../here/photos.conf --plan ../here/best.plan --out none
say presto materialize --plan ../here/photos.conf --out none
echo "-- measured alone"
presto profile --plan ../here/best.plan --db planned.db --runs 1 >/dev/null 2>&1
presto report --db planned.db --csv | cut -d, -f3,4,10,11 | tr -d '\r'
presto profile ../here/best.plan --db again.db --runs 1 >/dev/null 2>&1
presto report --db again.db --csv | cut -d, -f4 | tr -d '\r'
echo "-- moved together"
cp -pr ../here ../there
say presto materialize --plan ../there/best.plan --out moved --dry-run | head -n 1
echo "-- a file was changed, one was removed"
first=$(find ../here/data -name '*.jpg' | sort | head -n 1)
touch "$first"
say presto materialize --plan ../here/best.plan --out none
say presto materialize --plan ../here/best.plan --out none --set dataset.fingerprint=sizes --dry-run | head -n 1
rm "$first"
say presto materialize --plan ../here/best.plan --out none
say presto profile --plan ../here/best.plan
say presto verify ../here/best.plan
echo "-- half edited"
sed -i 's/^split = resized/split = decoded/' ../here/best.plan
say presto materialize --plan ../here/best.plan --out none
ls
