# A sweep of shards says what is measured; a folder has one number.
cat >swept.conf <<'C'
[dataset]
source = synthetic
shape = 16x16x3
fill = ramp
count = 40
[pipeline]
same = identity
[strategies]
store = npy
shards = 1, 8
[measure]
runs = 1
min_run_time = 0
probe = no
C
write() { # FOLDER OPTION...
	presto materialize "$@" 2>&1 >/dev/null | grep -o 'strategies.shards.*' || true
	find "$out" -name 'shard-*.npy' 2>/dev/null | wc -l
}
out=none write swept.conf --strategy same/npy --out none
out=four write swept.conf --strategy same/npy --shards 4 --out four
# 0 goes by the size.
sed -i 's/^shards.*/shards = 5, 0/' swept.conf
out=sized write swept.conf --strategy same/npy --out sized
