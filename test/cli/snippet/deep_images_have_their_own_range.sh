# What maps 0..255 to floats maps 0..65535 of uint16.
make() {
	cat >deep.conf <<C
[dataset]
source = synthetic
shape  = 8x8x3
dtype  = uint16
count  = 4

[pipeline]
same = identity
last = $1
C
	rm -rf data
	presto materialize deep.conf --strategy "raw/$2/none" --out data \
	    >/dev/null 2>&1
}
for step in center 'normalize mean=0.5 std=0.25' to_float; do
	make "$step" tar
	for framework in webdataset pytorch dali; do
		echo "$framework, $step:"
		presto snippet data --for $framework | grep -v FOLDER | grep '65535\|32767\|255\|127' |
		    sed 's|^ *|    |'
	done
	make "$step" tfrecord
	echo "tensorflow, $step:"
	presto snippet data --for tensorflow | grep -v FOLDER | grep '65535\|32767\|255\|127' |
	    sed 's/^ */    /'
	make "$step" npy
	for framework in numpy jax; do
		echo "$framework, $step:"
		presto snippet data --for $framework |
		    grep -v FOLDER | grep '65535\|32767\|255\|127' | sed 's/^ */    /'
	done
done
# An option that a framework does not know is a comment, not left out.
make 'random_crop size=9 padding=2' npy
presto snippet data --for numpy | grep -A1 -i 'random_crop'
