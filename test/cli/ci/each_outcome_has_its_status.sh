# Measured once, with figures made up then, so that all outcomes come for sure: a
# run takes $MS milliseconds, and each $SPREAD more than the one before.  The next
# test has turns.
root=$(dirname "$0")/../../..
presto profile "$SMALL_PHOTOS/photos.conf" --samples 2 --runs 8 --split resized \
    --store tar --codec none --cache system --threads 1 \
    --set measure.min_run_time=0 --db once.db >/dev/null 2>&1
mkdir bin
cat >bin/presto <<'S'
#!/bin/sh
if [ "$1" != profile ] || [ ! -e "$PIPELINE" ]; then
	exec "$REAL" "$@"
fi
while [ "$1" != --db ]; do shift; done
cp once.db "$2"
sqlite3 "$2" "UPDATE run SET wall_ns = 1000000 * ($MS + $SPREAD * run),
    user_ns = 90000000, system_ns = 0, others_ns = 0, stolen_ns = 0,
    reference_ns = NULL"
S
chmod +x bin/presto
REAL=$(command -v presto)
PRESTO=$PWD/bin/presto
PRESTO_BUDGET=60s
export REAL PRESTO PRESTO_BUDGET
gate() { # MS SPREAD [OPTIONS] PIPELINE BASELINE [OUTDIR]
	status=0
	ms=$1
	spread=$2
	shift 2
	MS=$ms SPREAD=$spread "$root/scripts/presto-ci-gate" -1 "$@" >log 2>err || status=$?
	grep '^presto-ci-gate: warning' log || true
	echo "$status, $(tail -n 1 log)"
}
export PIPELINE=$SMALL_PHOTOS/photos.conf
echo "-- the first time, noisy, and again with -u"
gate 100 20 "$PIPELINE" base.db
gate 100 0.1 -u "$PIPELINE" base.db out
ls ci-gate.out out
cmp bin/presto base.db.presto && echo "the program is kept"
cp base.db as_it_was.db
echo "-- as fast, slower, slower by what is allowed"
gate 100 0.1 "$PIPELINE" base.db out
export GITHUB_STEP_SUMMARY=$PWD/step.md
GITHUB_ACTIONS=true gate 170 0.1 "$PIPELINE" base.db out
grep -h '^::' log
gate 120 0.1 -t 30% "$PIPELINE" base.db out
ls out
grep -q REGRESSION step.md && grep -q '^| ' step.md && echo "so the summary says"
grep -o '^ *"verdict": "[a-z]*"' out/compare.json | sort | uniq -c
echo "-- noise, and measured once more"
gate 90 5 -r "$PIPELINE" base.db out
grep -h 'measuring\|once more' log | sed 's/[^ ]*photos.conf/PIPELINE/'
cmp base.db as_it_was.db && echo "the baseline is as it was"
echo "-- there is no program to take turns with"
rm base.db.presto
MS=100 SPREAD=0.1 "$root/scripts/presto-ci-gate" "$PIPELINE" base.db out 2>&1 | sed -n '/measuring/d; s/^presto-ci-gate: //p'
echo "-- other data, and then forced"
sqlite3 base.db 'UPDATE session SET seed = 7'
gate 100 0.1 "$PIPELINE" base.db out
gate 100 0.1 -f "$PIPELINE" base.db out
echo "-- mistakes"
unset GITHUB_STEP_SUMMARY
echo x >no.db
gate 100 0.1 "$PIPELINE" no.db out
gate 100 0.1 -t much "$PIPELINE" base.db out
gate 100 0.1 "$PIPELINE" out/measured.db out
cat err
PIPELINE=nowhere.conf gate 100 0.1 nowhere.conf base.db out
grep -h nowhere err
for wrong in "" "-x" "-b" "-1 -p presto a.conf b.db" "a.conf" "a.conf b.db -r" "a.conf b.db c d"; do
	# shellcheck disable=SC2086
	"$root/scripts/presto-ci-gate" $wrong 2>&1 || echo "exit $?"
done
PRESTO=/no/presto "$root/scripts/presto-ci-gate" "$PIPELINE" base.db 2>&1 || echo "exit $?"
