. "$here/../far/s3.sh"
. "$here/photos"
copy_photos near 3
mkdir -p store/photos/mine
echo mine >store/photos/mine/notes.txt
s3_start store
conf() { # PATH [SOURCE]
	printf '[dataset]\nsource = %s\npath = %s\n\n[pipeline]\ndecoded = jpeg_decode\n' \
	    "${2:-folder}" "$1" >it.conf
}
try() {
	"$@" >out.txt 2>&1 && status=0 || status=$?
	sed "s,$AWS_ENDPOINT_URL,ENDPOINT,g" out.txt | tr '\n' ' ' | sed 's/  */ /g'
	echo "($status)"
}
conf near
echo "-- a prefix with something else"
try presto materialize it.conf --strategy decoded/tar/none --out s3://photos/mine
find store/photos -type f
echo "-- a web server"
try presto materialize it.conf --strategy decoded/tar/none --out https://localhost/out
echo "-- a work folder"
try presto profile it.conf --work-dir s3://photos/work
echo "-- nothing there"
conf s3://photos/nothing
try presto show it.conf
conf s3://nobody/in
try presto show it.conf
conf s3://photos/nothing.tar tar
try presto profile it.conf
try presto show s3://photos/nothing
echo "-- another secret"
conf s3://photos/mine
AWS_SECRET_ACCESS_KEY=another try presto show it.conf
