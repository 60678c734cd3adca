# The file, the dataset and the database have names that a shell would split.
mkdir -p "it's here/data" work away
cp -r "$SMALL_PHOTOS"/*/ "it's here/data"
cat >"it's here/base.conf" <<'C'
[dataset]
source = folder
path = elsewhere
match = *.jpg
label = directory

[pipeline]
decoded = jpeg_decode
resized = resize size=64x64
cropped = random_crop size=20
C
cd work
presto profile "../it's here/base.conf" --db "../it's here/p.db" --seed 5 --threads 1 --runs 2 \
    --set "dataset.path=../it's here/data" --set 'pipeline.resized=resize size=24x24' \
    --store tar,tfrecord --split resized --codec none --cache none \
    --set measure.min_run_time=0 --set measure.probe=no >/dev/null 2>&1
cd ../away
export PRESTO_DB="../it's here/p.db"
written() {
	grep -E '^(strategy|samples|data) ' "$1/presto.manifest"
}
say() {
	presto materialize "$@" 2>&1 | grep -v '%: writing' | sed 's/[0-9.]* [kM]B/N/g; s/ in [0-9.]* .*s$//'
}
fastest() { # STRATEGY: whatever else the machine did
	sqlite3 "$PRESTO_DB" "UPDATE run SET wall_ns = wall_ns * 1000; UPDATE run SET wall_ns = 1000 WHERE trial IN
	    (SELECT trial.id FROM trial JOIN strategy ON strategy.id = strategy WHERE label = '$1')"
}
fastest resized/tfrecord/none
echo "-- the winner"
presto materialize --out best >/dev/null 2>&1
written best
echo "-- another"
say --session 1 --strategy resized/tar --out tar
written tar
echo "-- the same from the file"
unset PRESTO_DB
presto materialize "../it's here/base.conf" --strategy resized/tar/none --seed 5 --out same \
    --set "dataset.path=../it's here/data" --set 'pipeline.resized=resize size=24x24' >/dev/null 2>&1
diff <(sha256sum <tar/shard-000000.tar) <(sha256sum <same/shard-000000.tar) && echo same
export PRESTO_DB="../it's here/p.db"
echo "-- with something else over it"
say --strategy resized/tar --set 'pipeline.resized=resize size=32x32' --out small
written small
echo "-- no such session"
say --session 99 --out none
say --session 1 "../it's here/base.conf" --out none
say --db other.db --out none
echo "-- unprocessed"
say --strategy unprocessed --out none
fastest unprocessed
status=0
presto materialize --out none || status=$?
echo "exit status $status"
echo "-- a dataset that is another now"
rm "$(find "../it's here/data" -name '*.jpg' | sort | head -n 1)"
say --strategy resized/tar --out none
say --strategy resized/tar --set "dataset.path=../it's here/data" --out part
echo "-- an older presto"
sqlite3 "$PRESTO_DB" "UPDATE session SET file_text = NULL"
say --strategy resized/tar --out none
ls
