# What was mistyped is refused with status 2, and what was meant is named.  The
# members of a table may become more, so they are left out here.
try() {
	presto "$@" 2>&1 | sed -e "s,$PHOTOS,PHOTOS,; s,$MEASURED,MEASURED.db," \
	    -e '/objective\|store\|generate\|reader/s/There are .*/There are .../'
	echo "exit ${PIPESTATUS[0]}"
}
try recommend --objective throughputt
try recommend --format jsn
try recommend --weights storag=1
try recommend --db "$MEASURED" --session 7
try report --what run
try report --plot x.svg --chart storag
try list stepz
try generate phtos --out x
try profile --cache sytem "$PHOTOS/photos.conf"
try profile --store tarr "$PHOTOS/photos.conf"
try profile --codec zsdt "$PHOTOS/photos.conf"
try profile --split resizd "$PHOTOS/photos.conf"
try profile --set laod.threads=2 "$PHOTOS/photos.conf"
try profile --set pipeline.resized="resize shortr=9" "$PHOTOS/photos.conf"
try profile --set dataset.surce=folder "$PHOTOS/photos.conf"
try profile --set pipeline.resized="resize size=9x9 field=dta" "$PHOTOS/photos.conf"
try profile --set pipeline.resized="resize size=9x9 after=decodd" "$PHOTOS/photos.conf"
try recommend --readable-by numpi
try recommend --nothing-like-this
try show -z
try materialize "$PHOTOS/photos.conf" --strategy resizd/tar/none --out x
try materialize "$PHOTOS/photos.conf" --strategy unprocesed --out x
try generate tensors --set dtype=flot32 --out x
ls
