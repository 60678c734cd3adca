mkdir here
presto probe --size 1MiB --files 64 --set storage.latency=50ms here >/dev/null &
while ! ls here/presto-probe-*/small.* >/dev/null 2>&1; do
	sleep 0.05
done
kill -TERM $!
status=0
wait $! || status=$?
echo "status $status"
ls here
