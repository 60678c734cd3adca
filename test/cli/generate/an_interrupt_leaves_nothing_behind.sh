mkdir there
for out in new there; do
	presto generate photos --count 100000 --threads 1 --out $out 2>log &
	while ! [ -e $out/beach/IMG_000000.jpg ]; do
		sleep 0.02
	done
	kill -TERM $!
	status=0
	wait $! || status=$?
	echo "status $status"
	grep -v writing log | tail -n 1
done
ls -A .
ls -A there
