# Each mistake ends with status 2 and the words that there are.  The members of
# a table may become more, so only its first one is looked at.
try() {
	if presto "$@" 2>&1; then
		echo "it was taken"
	else
		echo "exit $?"
	fi
}
try show nosuch.conf
try profile --cache tape "$PHOTOS/photos.conf" | sed "s,$PHOTOS,PHOTOS,"
try recommend --objective speed | sed 's/balanced, .*/balanced, .../'
try recommend --weights sped=1
try list things
try generate movies -o x | sed 's/articles, .*/articles, .../'
try profile --codec delta+ "$PHOTOS/photos.conf"
try profile --codec auto:3 "$PHOTOS/photos.conf"
try profile --codec delta+auto "$PHOTOS/photos.conf"
try materialize "$PHOTOS/photos.conf" -s resized/tar/auto -o out
try profile --codec "" "$PHOTOS/photos.conf"
try profile --split , "$PHOTOS/photos.conf"
try profile --samples 0 "$PHOTOS/photos.conf"
try profile --set load.thread=2 "$PHOTOS/photos.conf"
printf '[load]\nthread = 2\n' >typo.conf
try show typo.conf
presto generate -h | grep -A1 '^KINDs'
