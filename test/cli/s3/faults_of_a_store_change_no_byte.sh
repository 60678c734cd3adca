. "$here/../far/s3.sh"
. "$here/photos"
mkdir -p store/out
copy_photos store/photos
cp -r store/photos near
s3_start store --control faults
write_photos_conf s3://photos 'decoded = jpeg_decode' 'resized = resize shorter=64'
sed "s,s3://photos,near," photos.conf >near.conf
presto materialize near.conf --strategy resized/tar/none --shuffle 7 --out local \
    >/dev/null 2>&1
try() { # FAULTS
	printf '%b' "$1" >faults
	rm -rf store/out/*
	presto materialize photos.conf --strategy resized/tar/none --shuffle 7 \
	    --out s3://out/data >/dev/null 2>errors || cat errors
	if cmp store/out/data/shard-000000.tar local/shard-000000.tar; then
		echo "$1: the same bytes"
	fi
	find store/.store -name 'upload-*'
}
try none
try 'reset 7\n'
try 'slow_down 6\nbusy 5\n'
try 'short 5\n'
try 'lost 6\n'
echo 'keys that are refused are an error in words:'
echo 'expired 1' >faults
presto show photos.conf 2>&1 | grep -o 'status 403.*'
