# Rows of a table whose field is null are left out, named and counted like
# damaged samples; also where the first row is one of them.
conf() { # SOURCE FIELD
	printf '[dataset]\nsource = %s\npath = %s/../fuzz/corpus/%s/nulls.%s\n' \
	    "$1" "$here" "$1" "$1"
	printf 'fields = data:%s\non_error = skip\n[pipeline]\nsame = identity\n' "$2"
	printf '[strategies]\nstore = tar\ncodec = none\n'
	printf '[load]\ncache = none\nthreads = 1\n'
	printf '[measure]\nruns = 1\nprobe = no\nepochs = 1\n'
}
said() { # of the warnings only what is about samples
	sed -n "s|.*warning: \(.*skipped\)|\1|; s|$here/../fuzz/corpus/||g; /skipped/p" err
}
for source in arrow parquet; do
	for field in image text; do
		echo "-- $source, $field"
		conf $source $field >it.conf
		presto profile --split raw it.conf >out 2>err || cat err
		said
		presto materialize --strategy raw/tar/none --shuffle no --shards 1 \
		    it.conf --out $source-$field >out 2>err || cat err
		said
		tar -tf $source-$field/shard-000000.tar | grep -c -v cls
	done
done
cmp arrow-image/shard-000000.tar parquet-image/shard-000000.tar && echo 'the same'
echo "-- without on_error = skip it ends"
presto profile --split raw it.conf --set dataset.on_error=fail 2>&1 >/dev/null |
    tail -n 1 | sed "s|$here/../fuzz/corpus/||"
echo "-- a key"
for source in arrow parquet; do
	conf $source image >it.conf
	presto materialize --strategy raw/tar/none --shuffle no --shards 1 it.conf \
	    --set dataset.key=text --out $source-key >out 2>err || cat err
	said
	tar -tf $source-key/shard-000000.tar | grep -v cls
done
presto profile --split raw it.conf --set dataset.on_error=fail --set dataset.key=text \
    --set dataset.fields=data:label 2>&1 >/dev/null |
    tail -n 1 | sed "s|$here/../fuzz/corpus/||"
