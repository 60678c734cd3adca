presto profile --set measure.min_run_time=0 --samples 8 --runs 8 --epochs 1 --cache none \
    --set storage.latency=20ms "$PHOTOS/photos.conf" >/dev/null 2>log &
while ! ls -d presto-work-*/*/ >/dev/null 2>&1; do
	sleep 0.05
done
kill -TERM $!
status=0
wait $! || status=$?
echo "status $status"
grep -c 'resume' log
ls -d presto-work-* 2>/dev/null || echo clean
