# SIGTERM to presto is passed on.  A job that will not hear is killed.
start() { # JOB
	rm -f pid
	presto demand --write a.conf --samples 100 -- sh -c "$1" 2>err &
	while [ ! -s pid ]; do
		sleep 0.02
	done
}
lives() { # no zombie that nobody waits for
	grep -q '^State:.[^Z]' "/proc/$(cat pid)/status" 2>/dev/null
}
finish() {
	status=0
	wait $! || status=$?
	echo "status $status"
	for _ in $(seq 100); do
		lives || break
		sleep 0.1
	done
	! lives || echo 'the job goes on'
	sed -nE 's/.*(interrupted) after.*(the demand.*)/\1; \2/p' err
}
start 'echo $$ >pid; exec sleep 1000'
kill -TERM $!
finish
grep -c '^throughput = ' a.conf
start 'trap "" TERM; echo $$ >pid; while :; do sleep 0.1; done'
while kill -TERM $! 2>/dev/null; do
	sleep 0.3
done
finish
# All processes of the job are told, as by a terminal.
start 'sleep 1000 & echo $! >pid; wait'
sleep 0.3
kill -TERM $!
finish
