# center passes a random crop: floats are stored, and only the crop is online.
cat >photos.conf <<'C'
[dataset]
source = folder
path = .
match = *.jpg
label = directory
[pipeline]
decoded = jpeg_decode
small = resize size=40 fixed=yes
cropped = random_crop size=32
centered = center
[load]
threads = 1
cache = system
[measure]
samples = 12
runs = 2
min_run_time = 0
probe = no
C
ln -s "$SMALL_PHOTOS"/*/ .
rows() { # strategy, order, split, status, equivalent
	presto report --csv "$@" | cut -d, -f4,5,6,12,30
}
presto profile photos.conf --order all --set measure.search=all >/dev/null 2>&1
rows
echo 'a label alone:'
presto profile photos.conf --order o1 --split centered --set measure.search=all --db one.db >/dev/null 2>&1
rows --db one.db
echo 'what is recommended can be written:'
presto materialize --strategy o1:centered/npy/none --out out --shards 1 2>/dev/null |
	sed 's/[0-9.]* [mku]*[Bs]\b/N/g'
presto show out | sed -n '/^split/p; /^order/p; /cropped/p'
sed -n '/"version"/p; /"order"/,/\]/p' out/dataset.json | tr -d ' \n'
echo
rm -r out
echo 'a plan of unprocessed has no strategies beside it:'
sqlite3 presto.db "UPDATE run SET wall_ns = wall_ns * 1000; UPDATE run SET wall_ns = 1 WHERE trial IN
    (SELECT trial.id FROM trial JOIN strategy ON strategy.id = strategy WHERE label = 'unprocessed')"
presto recommend --plan best.plan >/dev/null 2>&1
presto profile --plan best.plan --db planned.db >/dev/null 2>&1
rows --db planned.db
echo 'mistakes:'
presto profile photos.conf --order o2 --dry-run 2>&1 || echo "exit $?"
presto profile photos.conf --order first --dry-run 2>&1 || echo "exit $?"
presto profile photos.conf --split centered --dry-run 2>&1 || echo "exit $?"
presto materialize photos.conf --strategy o1:cropped/npy/none --out no 2>&1 || echo "exit $?"
