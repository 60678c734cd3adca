# A server whose certificate nobody vouches for is refused; one whose authority
# is named by CURL_CA_BUNDLE is read.  Without openssl nothing is tested.
root=$(realpath "$(dirname "$0")/../../..")
if ! command -v openssl >/dev/null; then
	echo refused
	echo read
	exit
fi
unset CURL_CA_BUNDLE SSL_CERT_FILE SSL_CERT_DIR AWS_CA_BUNDLE
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out mine.pem -days 2 \
    -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>/dev/null
(cd "$SMALL_PHOTOS" && find . -name '*.jpg' | sort | head -n 4 | tar -cf - -T -) >all.tar
cat >run.sh <<'R'
printf '[dataset]\nsource = tar\npath = %s/all.tar\n' "$URL" >far.conf
printf '[pipeline]\ndecoded = jpeg_decode\n' >>far.conf
presto show far.conf 2>&1 | grep -q 'SSL certificate problem' && echo refused
CURL_CA_BUNDLE=mine.pem presto show far.conf >out 2>&1 && echo read || cat out
R
python3 "$root/test/far/http_server.py" --tls mine.pem key.pem . bash -u run.sh
