. "$here/../far/s3.sh"
. "$here/photos"
copy_photos near
mkdir -p store/photos
s3_start store --control control
write_photos_conf near 'decoded = jpeg_decode'
echo "no_list 1" >control
presto materialize photos.conf --strategy raw/tar/none --shuffle no --out s3://photos/out >all 2>&1
grep -c 'uploads that killed runs may have left in s3://photos/out stay there: .*AccessDenied' all
[ -e store/photos/out/presto.manifest ] && echo "complete"
