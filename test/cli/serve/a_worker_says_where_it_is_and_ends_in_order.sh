# The address is the first line; SIGTERM and the end of its input end a worker.
here=$(pwd -P)
serve() {
	presto serve "$PHOTOS/photos.conf" "$@" >out 2>err &
	while [ ! -s out ]; do
		kill -0 $! 2>/dev/null || break
		sleep 0.02
	done
	sed -e "s,$here,HERE," -e 's/:[0-9]*$/:PORT/' out
}
serve
stat -c %a presto.sock
kill -TERM $!
wait $!
echo "status $?"
cat err
ls
echo 'a token of the test' >token
sleep 0.3 | presto serve "$PHOTOS/photos.conf" --port 0 --token-file token \
    --until-eof >out 2>err
echo "status $?"
sed 's/:[0-9]*$/:PORT/' out
! grep -r 'token of the' out err
