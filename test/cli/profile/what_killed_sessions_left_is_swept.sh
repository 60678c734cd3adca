how=(--runs 400 --set measure.min_run_time=0 --samples 8 --cache none --codec none --store tar --split resized
    --threads 1 --set storage.latency=2ms "$SMALL_PHOTOS/photos.conf")
killed() { # a session that has stored data
	presto profile "$@" "${how[@]}" >/dev/null 2>&1 &
	while ! ls -d presto-work-??????/resized-* >/dev/null 2>&1; do
		sleep 0.02
	done
	kill -KILL $!
	wait $! 2>/dev/null || true
}
killed --keep
mv presto-work-?????? kept
killed
mv kept presto-work-keptAA
mkdir presto-work-abcdef presto-probe-abcdef
echo mine >presto-work-abcdef/mine
echo mine >presto-probe-abcdef/large.0
echo mine >presto-sync-abcdef
mkdir -m 700 presto-work-nomark

presto profile "${how[@]}" --runs 2 --name other 2>&1 >/dev/null | grep -o 'removed.*' |
	sed 's,/.*/presto-work,DIR/presto-work,; s/work-[A-Za-z0-9]*/work-X/; s/([^)]*)/(SIZE)/' | sort
ls -d presto-[wps]* presto-work-keptAA/*

# Without its folder, and with a mode that lets others look.
rm -r presto-work-keptAA presto-*-abcdef
umask 022
presto profile "${how[@]}" --resume >/dev/null 2>&1 &
while ! ls -d presto-work-??????/resized-* >/dev/null 2>&1; do
	sleep 0.02
done
stat -c %a presto-work-??????
kill -KILL $!
wait $! 2>/dev/null || true
chmod 755 presto-work-??????
presto profile "${how[@]}" --resume >/dev/null 2>&1 &
while [ "$(stat -c %a presto-work-?????? 2>/dev/null)" != 700 ] && kill -0 $! 2>/dev/null; do
	sleep 0.02
done
stat -c %a presto-work-??????
kill -TERM $!
wait $! 2>/dev/null || true
ls -d presto-[wps]* 2>/dev/null || true
