# The manifest's own arguments and environment, one pod after the other.
manifest=$here/../../scripts/cluster/kubernetes.yaml
value() {
	sed -n "/name: $1\$/{n;s/.*value: \"\(.*\)\"/\1/p;}" "$manifest"
}
completions=$(sed -n 's/^  completions: //p' "$manifest")
[ "$completions" = "$(value JOB_COMPLETIONS)" ] && echo "$completions pods"
mapfile -t words < <(sed -n '/args:/,/env:/s/^ *- //p' "$manifest")
words=("${words[@]/\/data\//data/}")
cp -r "$SMALL_PHOTOS" data
for ((i = 0; i < completions; i++)); do
	JOB_COMPLETION_INDEX=$i JOB_COMPLETIONS=$(value JOB_COMPLETIONS) \
	    presto materialize "${words[@]}" --threads 1 2>/dev/null
done | grep -c 'Kubernetes indexed job'
presto show data/train | head -n 1 | sed 's/:.*//'
