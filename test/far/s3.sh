# s3.sh - for tests: starts an object store of S3's kind, and ends it with the
# test.  Objects of a bucket are the files of the folder of its name.
s3_start() { # FOLDER [OPTION]...
	mkfifo "$1.address"
	python3 "$here/../far/s3_server.py" "$@" >"$1.address" &
	s3_server=$!
	trap 'kill "$s3_server"' EXIT
	read -r AWS_ENDPOINT_URL <"$1.address"
	export AWS_ENDPOINT_URL AWS_ACCESS_KEY_ID=tester AWS_REGION=us-east-1
	export AWS_SECRET_ACCESS_KEY=word-of-the-test AWS_EC2_METADATA_DISABLED=true
	export AWS_CONFIG_FILE="$1.none" AWS_SHARED_CREDENTIALS_FILE="$1.none"
	rm "$1.address"
}
