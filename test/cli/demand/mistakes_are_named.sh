try() {
	if presto demand "$@" 2>&1; then
		echo "it was taken"
	else
		echo "exit $?"
	fi
}
try
try --
try --samples 0 -- true
try --budget soon -- true
try --wirte a.conf -- true
try sh --norc
try --write . -- true
