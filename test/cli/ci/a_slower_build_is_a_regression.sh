# The example of presto-ci(7) with two builds, one of which takes ten times as
# long for each sample: so much that no noise can hide it.
root=$(dirname "$0")/../../..
slower=$(dirname "$(realpath "$(command -v presto)")")/test/slower/presto
[ -x "$slower" ] || { echo "make check-cli builds $slower" >&2; exit 1; }
gate() { # BINARY OUTDIR [OPTIONS]
	binary=$1
	out=$2
	shift 2
	PRESTO=$binary "$root/scripts/presto-ci-gate" -b 2m "$@" \
	    "$root/datasets/ci.conf" baseline.db "$out" -- \
	    --set dataset.path="$PHOTOS" --samples 4 --runs 8 --split resized \
	    --codec none --set measure.precision=99 \
	    --set measure.min_run_time=0 >"$out.log" 2>&1
}
gate presto first
tail -n 1 first.log
status=0
SLOWER_PERCENT=900 gate "$slower" slow || status=$?
echo "slower: $status"
tail -n 1 slow.log
status=0
gate presto same -t 90% || status=$?
[ $status -ne 3 ] && echo "the same: no regression"
