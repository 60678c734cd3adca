# Both signals are pending when the program goes on, so none is too late.  A
# terminal that is closed may tell it twice, and so does timeout(1): that ends
# nothing sooner.
for pair in "INT TERM" "TERM INT" "HUP HUP" "twice TERM"; do
	read -r first second <<<"$pair"
	presto profile --set measure.min_run_time=0 --samples 8 --runs 8 \
	    --epochs 1 --cache none --codec none --store tar --threads 1 \
	    --set storage.latency=20ms --db a.db \
	    "$SMALL_PHOTOS/photos.conf" >/dev/null 2>log &
	while ! ls -d presto-work-*/*/ >/dev/null 2>&1; do
		sleep 0.05
	done
	if [ "$first" = twice ]; then
		kill -TERM $!
		kill -TERM $!
	else
		kill -STOP $!
		kill -"$first" $!
		kill -"$second" $!
		kill -CONT $!
	fi
	status=0
	wait $! 2>/dev/null || status=$?
	[ $status != 143 ] || status=130
	echo "$pair: status $status"
	grep -o 'ended at once\|finished runs are kept' log
	ls -d presto-work-* 2>/dev/null | sed 's/-[^-]*$//'
	# What is left is no obstacle.
	presto profile --resume --runs 1 --samples 2 --db a.db --split raw --cache none \
	    --codec none --store tar --set measure.min_run_time=0 \
	    --threads 1 "$SMALL_PHOTOS/photos.conf" >/dev/null 2>log || cat log
	rm -rf a.db* presto-work-*
done
