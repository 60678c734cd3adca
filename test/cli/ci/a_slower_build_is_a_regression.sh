# The example of presto-ci(7) with two builds, one of which takes ten times as
# long for each sample.  Of 15 runs, the interval of the median leaves out three at
# each end, so a few that the machine has stalled do not hide that.
root=$(dirname "$0")/../../..
slower=$(dirname "$(realpath "$(command -v presto)")")/test/slower/presto
[ -x "$slower" ] || { echo "make check-cli builds $slower" >&2; exit 1; }
# By turns it would take longer; two_programs_are_measured_by_turns has that.
gate() { # BINARY OUTDIR [OPTIONS]
	binary=$1
	out=$2
	shift 2
	PRESTO=$binary "$root/scripts/presto-ci-gate" -b 2m "$@" \
	    "$root/datasets/ci.conf" baseline.db "$out" -- \
	    --set dataset.path="$SMALL_PHOTOS" --samples 2 --runs 15 --split resized \
	    --codec none --set measure.precision=99 \
	    --set measure.min_run_time=0 >"$out.log" 2>&1
}
gate presto first
tail -n 1 first.log
status=0
SLOWER_PERCENT=900 gate "$slower" slow -1 || status=$?
echo "slower: $status"
tail -n 1 slow.log | sed "s/would have seen .*/would have seen .../"
ls baseline.db*
status=0
gate presto same -1 -t 90% || status=$?
[ $status -ne 3 ] && echo "the same: no regression"
