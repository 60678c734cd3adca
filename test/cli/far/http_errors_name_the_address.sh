# What cannot be read over HTTP is refused in words, with the address and the
# status, and never with a password.
root=$(realpath "$(dirname "$0")/../../..")
(cd "$SMALL_PHOTOS" && find . -name "*.jpg" | sort | tar -cf - -T -) >all.tar
cat >run.sh <<'R'
try() { # URL
	printf '[dataset]\nsource = tar\npath = %s\n[pipeline]\ndecoded = jpeg_decode\n' "$1" >far.conf
	status=0
	presto show far.conf >out 2>err || status=$?
	sed "s,$URL,URL,g; s/127.0.0.1 port [0-9]*/HOST/; s/in [0-9.]* s/in TIME/" err
	echo "exit $status"
}
for path in "$@"; do
	try "$path"
done
R
serve() {
	python3 "$root/test/far/http_server.py" "$@"
}
serve . bash -euc 'source run.sh "$URL/gone.tar" "${URL/\/\//\/\/me:secret@}/all.tar" "$URL/elsewhere/x.tar"'
serve . bash -euc 'source run.sh "$URL/moved/all.tar"'
serve --fault changed=2 . bash -euc 'source run.sh "$URL/all.tar"' | sed 's/"[0-9a-f]*"/ETAG/g'
serve --fault gzip=1 . bash -euc 'source run.sh "$URL/all.tar"'
serve --fault vague=1 . bash -euc 'source run.sh "$URL/all.tar"'
serve --fault s500=1 --fault s429=1 . bash -euc 'URL=$URL source run.sh "$URL/all.tar"' | sed 's/tried [0-9]* times/tried/'
URL=http://127.0.0.1:1 bash -euc 'source run.sh "$URL/all.tar"' | sed 's/after [0-9]* ms/after TIME/'
grep -l secret ./* | grep -v run.sh || true
