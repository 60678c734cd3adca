mkdir data
find "$SMALL_PHOTOS" -name '*.jpg' | sort | head -n 12 | xargs cp -t data
cat >photos.conf <<'C'
[dataset]
source = folder
path = data

[pipeline]
decoded = jpeg_decode
C
how=(--runs 400 --set measure.min_run_time=0 --cache none --codec none --store tar --split decoded
    --threads 1 --set storage.latency=2ms photos.conf)
presto profile "${how[@]}" >/dev/null 2>&1 &
while ! ls -d presto-work-*/*/ >/dev/null 2>&1; do
	sleep 0.02
done
kill -KILL $!
wait $! 2>/dev/null || true
first=$(find data -name '*.jpg' | sort | head -1)
cp -p "$first" kept.jpg
resume() {
	presto profile --resume "${how[@]}" "$@" 2>&1 >/dev/null | grep 'has changed' |
	    sed 's/[0-9-]* [0-9:.]* UTC/T/g; s/IMG_[0-9]*/IMG/' || true
}
printf x >>"$first"
resume
cp kept.jpg "$first"
resume
cp -p kept.jpg data/z.jpg
cp -p kept.jpg "$first"
rm -r presto-work-*
resume
find . -name 'presto-work-*' # the folder that it asked about is not left behind
sqlite3 presto.db 'select count(*), length(inventory) between 200 and 500 from session'
