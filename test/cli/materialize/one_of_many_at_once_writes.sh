cat >small.conf <<'C'
[dataset]
source = synthetic
shape = 2048
count = 400

[pipeline]
same = identity
C
racers() {
	for i in 1 2 3 4 5 6 7 8; do
		presto materialize small.conf --strategy same/files/zstd:9 --out out \
		    >"out.$i" 2>"err.$i" &
		echo $! >"pid.$i"
	done
	wait
}
for round in 1 2 3 4 5; do
	rm -rf out out.* err.* pid.*
	racers
	winners=$(grep -l 'read back and checked' out.* | wc -l)
	[ "$winners" = 1 ] || echo "round $round: $winners wrote it"
	for i in 1 2 3 4 5 6 7 8; do
		grep -q 'read back and checked\|complete already' "out.$i" && continue
		# By the one that writes, or one that looks whether it is complete.
		holder=$(sed -n 's/.*in use by another presto: process \([0-9]*\) on .* since .*; wait.*/\1/p' "err.$i")
		grep -qx "${holder:-none}" pid.* || cat "out.$i" "err.$i"
	done
	[ -e out/presto.partial ] && echo "round $round: a lock is left"
	presto materialize small.conf --strategy same/files/zstd:9 --out out --check |
	    grep -o '400 samples.*checked'
done
true
