mkdir pairs
i=0
for photo in $(find "$SMALL_PHOTOS" -name '*.jpg' | sort | head -n 8); do
	i=$((i + 1))
	cp "$photo" "pairs/$i.jpg"
	cp "$photo" "pairs/$i.mask.jpg"
done
cat >pairs.conf <<'C'
[dataset]
source = folder
path = pairs
fields = data:jpg,mask:mask.jpg

[pipeline]
decoded = jpeg_decode field=data,mask
resized = resize shorter=96 field=data
shrunk = resize shorter=96 filter=nearest field=mask
cropped = random_crop size=64 field=data,mask
grey = grayscale field=mask

[strategies]
store = files, tar, tfrecord
codec = none, lz4

[load]
threads = 2
cache = none

[measure]
runs = 1
min_run_time = 0
C
presto profile pairs.conf >/dev/null 2>&1
presto report --csv | cut -d, -f4,30 | sort | sed 's/.*,//' | uniq -c | tr -s ' '
tar --sort=name -cf pairs.tar -C pairs .
sed 's/^source.*/source = tar/; s/^path.*/path = pairs.tar/' pairs.conf >tar.conf
presto profile --db tar.db tar.conf >/dev/null 2>&1
presto report --csv --db tar.db | cut -d, -f30 | uniq -c | tr -s ' '
