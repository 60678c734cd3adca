# Shards of class folders hold all classes; the same seed gives the same bytes,
# with any number of threads, and by profile.
for class in ant bee cat dog; do
	mkdir -p files/$class
	for i in $(seq -w 1 40); do
		echo "$class $i" >files/$class/$i.txt
	done
done
cat >c.conf <<EOF
[dataset]
source = folder
path = files
label = directory
[pipeline]
same = identity
[strategies]
split = raw
shards = 4
[load]
threads = 1
cache = system
[measure]
samples = 1000
runs = 1
min_run_time = 0
probe = no
EOF
write() {
	presto materialize c.conf -s raw/tar "$@" >>log
}
classes() { # of each shard
	for shard in "$1"/*.tar; do
		tar tf "$shard" | grep txt | cut -d/ -f1 | sort -u | wc -l
	done | sort -u
}
keys() {
	for shard in "$1"/*.tar; do
		tar tf "$shard" | grep txt
	done
}
write -o default --threads 1
write -o again --threads 4
write -o seed --shuffle 7
write -o also --seed 7
write -o plain --shuffle no
presto profile c.conf --keep --work-dir work --db c.db >/dev/null
echo "classes of a shard: $(classes default)"
cmp <(keys default | sort) <(keys plain) && echo "all samples, once"
cmp <(keys plain) <(keys plain | sort) && echo "no: the order of the dataset"
diff -r default again && echo "the same by any threads"
cmp <(keys seed) <(keys also) && echo "--seed shuffles as well"
cmp -s <(keys seed) <(keys default) || echo "another seed, another order"
for shard in default/*.tar; do
	cmp "$shard" work/*/raw-tar-none/"${shard##*/}"
done && echo "profile stores in this order"
grep -h shuffle default/presto.manifest seed/presto.manifest plain/presto.manifest
sed 's/, [0-9.]* kB.*//' log | tail -n 1
! write -o default --shuffle 8 2>err || exit 1
sed 's/.*shuffle seed/shuffle seed/' err
rm default/presto.manifest
echo 0123456789abcdef >default/presto.partial
! write -o default --shuffle 8 2>err || exit 1
grep -o "another strategy.*was begun here" err
! write -o other --shuffle maybe 2>err || exit 1
cat err
