cat >free.conf <<'C'
[dataset]
source = synthetic
shape = 16x16x3
count = 20
[pipeline]
cropped = center_crop size=8
centered = center
half = to_half
C
orders() {
	presto show "$@" | sed -n '/^orders/,/^[a-np-z]/p' | sed -n '/^orders/p; /^  /p'
}
orders free.conf
echo 'after= is all that a step asks:'
orders free.conf --set 'pipeline.half=to_half after=cropped'
echo 'nothing passes a fixed step:'
orders free.conf --set 'pipeline.centered=center fixed=yes'
echo 'steps that do nothing:'
orders free.conf --set 'pipeline.cropped=identity' --set 'pipeline.centered=identity' \
    --set 'pipeline.half=identity'
