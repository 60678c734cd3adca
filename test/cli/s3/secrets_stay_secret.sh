. "$here/../far/s3.sh"
. "$here/photos"
copy_photos store/photos
s3_start store
write_photos_conf s3://photos 'decoded = jpeg_decode' 'resized = resize shorter=64'
cat >>photos.conf <<'C'
[strategies]
split = resized
store = tar
codec = none
[measure]
runs = 1
samples = 8
min_run_time = 0
probe = no
C
presto profile photos.conf --db far.db >profile.txt 2>&1 || cat profile.txt
presto report --db far.db --json >report.json
AWS_SECRET_ACCESS_KEY=wrong-word-of-the-user presto show photos.conf >wrong.txt 2>&1 ||
    echo "status $?"
grep -o 'status 403 [A-Za-z]*' wrong.txt
grep -l -e word-of-the- -- * store/.log 2>/dev/null || echo 'nowhere'
