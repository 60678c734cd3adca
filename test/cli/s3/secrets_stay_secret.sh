. "$here/../far/s3.sh"
mkdir -p store/photos
cp "$SMALL_PHOTOS"/*/*.jpg store/photos/
s3_start store
cat >far.conf <<'C'
[dataset]
source = folder
path = s3://photos
match = *.jpg
[pipeline]
decoded = jpeg_decode
resized = resize shorter=64
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
presto profile far.conf --db far.db >profile.txt 2>&1 || cat profile.txt
presto report --db far.db --json >report.json
AWS_SECRET_ACCESS_KEY=wrong-word-of-the-user presto show far.conf >wrong.txt 2>&1 ||
    echo "status $?"
grep -o 'status 403 [A-Za-z]*' wrong.txt
grep -l -e word-of-the- -- * store/.log 2>/dev/null || echo 'nowhere'
