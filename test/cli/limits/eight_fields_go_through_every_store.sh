# Eight fields are the most that a sample has, and 31 bytes the most that the
# name of one has.  Every store and program takes so many.
presto generate tensors --count 2 --set shape=3x4 --set dtype=float32 \
    --out tensors 2>/dev/null
mkdir data
for key in 0 1; do
	for field in {1..9}; do
		cp tensors/0000000$key.npy "data/$key.f$field.npy"
	done
done
longest=$(printf 'x%.0s' {1..29})
fields() { # COUNT
	for i in $(seq "$1"); do
		printf '%s_%s:f%s.npy\n' "$longest" "$i" "$i"
	done | paste -sd,
}
cat >a.conf <<-END
	[dataset]
	source = folder
	path = data
	[pipeline]
	same = identity
END
for store in files npy tar tfrecord; do
	for codec in none shuffle+zstd:1; do
		presto materialize a.conf --set dataset.fields="$(fields 8)" \
		    --strategy same/$store/$codec --out "$store-$codec" \
		    >out 2>log || continue
		echo "$store/$codec: $(presto show "$store-$codec" |
		    grep -c "${longest}_[1-8] ")"
		printf '[dataset]\nsource = presto\npath = %s\n[pipeline]\nsame = identity\n' \
		    "$store-$codec" >again.conf
		presto profile --dry-run --db a.db again.conf >out
	done
done
for program in webdataset:tar dali:tar tensorflow:tfrecord numpy:npy \
    pytorch:npy jax:npy; do
	presto snippet "${program#*:}-none" --for "${program%:*}" |
	    grep -c "${longest}_8" | sed 's/[1-9][0-9]*/the last field is there/'
done
presto show a.conf --set dataset.fields="$(fields 9)" 2>&1 | grep -o 'more than.*\|at most.*\|[^:]*$'
presto show a.conf --set dataset.fields="x$(fields 1)" 2>&1 | grep -o '[^:]*$'
