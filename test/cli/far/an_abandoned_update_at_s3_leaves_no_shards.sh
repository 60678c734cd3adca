# Notes are names of objects there: what they name is removed, when the dataset
# is another one, and with it the notes.
. "$here/../far/s3.sh"
. "$here/photos"
copy_photos photographs
mkdir -p store/bucket/in
n=0
for name in photographs/*; do
	mv "$name" store/bucket/in/a_$((n++)).jpg
done
s3_start store
write_photos_conf s3://bucket/in 'decoded = jpeg_decode' 'small = resize size=8x8'
presto materialize photos.conf -s small/files/none --shuffle 5 --shards 4 \
    --out s3://bucket/out >/dev/null
find store -type d -empty -delete
cp -r store/bucket/out first
for name in store/bucket/in/a_*.jpg; do
	cp "$name" "${name/a_/b_}"
done
head -c 300 store/bucket/in/a_0.jpg >store/bucket/in/c.jpg
update s3://bucket/out --threads 1 | sed 's/\(jpeg_decode\).*/\1.../'
ls store/bucket/out | grep -c 'shard-00000[4-9].index'
rm store/bucket/in/[bc]*
update s3://bucket/out --threads 1
find store -type d -empty -delete
diff -r first store/bucket/out && echo "as it was"
