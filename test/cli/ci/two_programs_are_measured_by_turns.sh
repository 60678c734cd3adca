# presto-ci-gate by turns, with a session that was measured once, and figures made up,
# so that the outcome is sure: a run of `before` takes 100 milliseconds, one of
# `after` 120, and sessions up to four times $SPREAD more, but for
# the program that is kept.
root=$(dirname "$0")/../../..
mkdir bin
cat >bin/before <<'S'
#!/bin/sh
if [ "$1" != profile ] || [ ! -e "$PIPELINE" ]; then
	exec "$REAL" "$@"
fi
while [ "$1" != --db ]; do shift; done
[ -e "$2" ] || cp once.db "$2"
case $0 in
*.presto) SPREAD=0 ;;
esac
n=$(($(sqlite3 "$2" 'SELECT max(id) FROM session') + 1))
again() { # TABLE CHANGES WHERE
	echo "CREATE TEMP TABLE new AS SELECT * FROM $1 WHERE $3;
	    UPDATE new SET $2; INSERT INTO $1 SELECT * FROM new; DROP TABLE new;"
}
{
	again session "id = $n" 'id = 1'
	again strategy "id = id + 100 * $n, session = $n" 'session = 1'
	again trial "id = id + 100 * $n, strategy = strategy + 100 * $n" 'id < 100'
	again run "trial = trial + 100 * $n, wall_ns = CAST(1000000 * (${MS:-100} +
	    0.1 * run + 0.1 * ($n % 3) + ${SPREAD:-0} * ($n * 7 % 5)) AS INTEGER)" 'trial < 100'
} | sqlite3 "$2"
echo "photos, session $n, done"
S
sed 's/:-100/:-120/' bin/before >bin/after
chmod +x bin/before bin/after
presto profile "$SMALL_PHOTOS/photos.conf" --samples 2 --runs 2 --split raw \
    --store tar --codec none --cache system --threads 1 \
    --set measure.min_run_time=0 --db once.db >/dev/null 2>&1
sqlite3 once.db 'UPDATE run SET user_ns = 90000000, system_ns = 0,
    others_ns = 0, stolen_ns = 0, reference_ns = NULL'
REAL=$(command -v presto)
PRESTO=$PWD/bin/after
PIPELINE=$SMALL_PHOTOS/photos.conf
export REAL PRESTO PIPELINE
gate() { # [OPTIONS]
	status=0
	"$root/scripts/presto-ci-gate" -b 2m "$@" >log 2>&1 || status=$?
	echo "$status, $(tail -n 1 log)"
	sed -n 's/^presto-ci-gate: \(.* turns would\)/\1/p' log
}
echo "-- sessions 2 to 6, of both"
gate -p bin/before "$PIPELINE" base.db out
grep -c 'measuring .* by turns, 120 s at most$' log
sed -n 's/, 20.*//; s/^  \(base\|new\) *photos, //p' out/compare.txt
tr -d ' \n' <out/compare.json | grep -o '"sessions":[^]]*]'
echo "-- the program that stored the baseline, and two builds of one source"
PRESTO=$PWD/bin/before
gate "$PIPELINE" kept.db out
PRESTO=$PWD/bin/after
gate "$PIPELINE" kept.db out
PRESTO=$PWD/bin/before
gate -n bin/before -s 5.5% "$PIPELINE" kept.db out
echo "-- noise: no time is left, and as many turns as are needed"
export SPREAD=5
gate -b 0.001s "$PIPELINE" kept.db out
gate -b 1h -s 17% "$PIPELINE" kept.db out
unset SPREAD
PRESTO=$PWD/bin/after
echo "-- mistakes"
gate -p none/presto "$PIPELINE" base.db out
gate -u -p bin/before "$PIPELINE" base.db out
PIPELINE=none.conf
gate -p bin/before none.conf base.db out
