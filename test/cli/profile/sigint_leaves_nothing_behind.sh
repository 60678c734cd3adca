profile() { # what follows is signalled: no function may stand in between
	presto profile --set measure.min_run_time=0 --samples 8 --runs 8 \
	    --epochs 1 --cache none --codec none,gzip:1 --store tar \
	    --set storage.latency=20ms \
	    "$SMALL_PHOTOS/photos.conf"
}
for signal in TERM HUP; do
	presto profile --set measure.min_run_time=0 --samples 8 --runs 8 \
	    --epochs 1 --cache none --codec none,gzip:1 --store tar \
	    --set storage.latency=20ms \
	    "$SMALL_PHOTOS/photos.conf" >/dev/null 2>log &
	while ! ls -d presto-work-*/*/ >/dev/null 2>&1; do
		sleep 0.05
	done
	kill -$signal $!
	status=0
	wait $! || status=$?
	echo "status $status"
	grep -c 'finished runs are kept' log
	ls -d presto-work-* 2>/dev/null || echo clean
done
# Nobody reads any more.
{
	status=0
	profile || status=$?
	echo "status $status" >status
} 2>&1 | head -n 1 >/dev/null
cat status
ls -d presto-work-* 2>/dev/null || echo clean
