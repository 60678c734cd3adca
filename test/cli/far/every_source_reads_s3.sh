. "$here/../far/s3.sh"
mkdir -p store/data/lines store/data/labels
presto generate graph --count 3 --out store/data/graph >/dev/null
presto generate tensors --count 6 --out store/data/tensors >/dev/null
printf 'one\ntwo\nthree\n' >store/data/lines/a.txt
printf 'four\nfive\n' >store/data/lines/b.txt
for class in cat dog; do
	mkdir -p "store/data/photos/$class"
	find "$SMALL_PHOTOS" -name '*.jpg' | sort | head -2 | xargs cp -t "store/data/photos/$class"
done
# shellcheck disable=SC2012 # names of photographs
ls store/data/photos/cat | sed 's/\(.*\)\.jpg/cat\/\1,3\ndog\/\1,4/; 1i key,label' >store/data/labels/table.csv
presto materialize store/data/tensors/tensors.conf --strategy raw/tfrecord/gzip --shards 2 \
    --shuffle no --out store/data/records >/dev/null
presto materialize store/data/tensors/tensors.conf --strategy raw/npy/none --shards 2 \
    --shuffle no --out store/data/arrays >/dev/null
presto materialize store/data/tensors/tensors.conf --strategy raw/tar/none --shards 3 \
    --shuffle no --out store/data/tars >/dev/null
for store in mds parquet; do
	presto materialize store/data/tensors/tensors.conf --strategy raw/$store/none --shards 2 \
	    --shuffle no --out "store/data/$store" >/dev/null
	rm "store/data/$store/presto.manifest"
done
mkdir store/data/signals
cp "$here/../data/small.hdf5" store/data/signals
mkdir store/data/packed
python3 -c 'import zipfile
with zipfile.ZipFile("store/data/packed/rows.npz", "w") as file:
    file.write("store/data/arrays/shard-000000.npy", "x.npy")'
mkdir -p store/data/tables
cp "$here/../fuzz/corpus/parquet/snappy.parquet" "$here/../fuzz/corpus/arrow/stream.arrow" \
    store/data/tables
mkdir store/data/keys
cp "$here/../fuzz/corpus/lmdb/plain.mdb" store/data/keys/data.mdb
s3_start store
# Each is stored from here and from there, and compared.
try() { # NAME SOURCE PATH [KEY]...
	local name=$1 source=$2 path=$3 root
	shift 3
	echo "-- $name"
	for root in "$PWD/store" s3:/; do
		{
			printf '[dataset]\nsource = %s\npath = %s/data/%s\n' "$source" "$root" "$path"
			printf '%s\n' "${@//ROOT/$root}"
			printf '[pipeline]\nsame = identity\n'
		} >it.conf
		presto materialize it.conf --strategy raw/tar/none --shards 1 --shuffle no \
		    --out "$name-${root##*/}" | sed 's/.*: \([0-9]* sample\)/\1/; s/ as .*//'
	done
	cmp "$name-store/shard-000000.tar" "$name-/shard-000000.tar" && echo "the same"
}
try folder folder photos label=directory 'match=*.jpg'
try table folder photos 'labels=ROOT/data/labels/table.csv' 'match=*.jpg'
try edges edges graph
try lines lines lines
try list lines 'lines/{a,b}.txt'
try tfrecord tfrecord records 'match=*.tfrecord.gz'
try pyarrow parquet tables
try arrow arrow tables/stream.arrow fields=picture:image,ids
try npy npy arrays/shard-000000.npy
try npz npz packed/rows.npz
try hdf5 hdf5 signals 'fields=/v' 'match=*.hdf5'
try tar tar 'tars/shard-{000000..000002}.tar'
try pattern tar 'tars/shard-*2.tar'
try lmdb lmdb keys
try mds mds mds
try parquet parquet parquet 'match=*.parquet'
try presto presto arrays
