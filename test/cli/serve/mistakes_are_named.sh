unset PRESTO_TOKEN PRESTO_TOKEN_FILE
cp "$PHOTOS/photos.conf" p.conf
try() {
	if presto serve "$@" --set dataset.path="$PHOTOS" p.conf </dev/null >out 2>&1; then
		echo "it was served"
	else
		echo "exit $?"
	fi
	sed "s,$(pwd -P),HERE," out
}
try --port 0
try --listen 127.0.0.1
try --port 1 --socket s
try --cert c.pem
try --cert c.pem --key k.pem
touch empty
try --port 0 --token-file empty
echo text >file
try --socket file
try --socket nowhere/s
try --port 70000
presto serve missing.conf 2>&1 || echo "exit $?"
rm out
ls
