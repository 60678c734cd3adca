# A limit on the size of files is one of memory that is shared, too.
serve() {
	sleep 0.3 | presto serve "$PHOTOS/photos.conf" --until-eof "$@" >out 2>err
	echo "status $?"
	grep through err || echo "nothing is said"
}
serve
(
	ulimit -f 1
	serve
	serve --lend 0
	echo token >token
	serve --port 0 --token-file token
)
