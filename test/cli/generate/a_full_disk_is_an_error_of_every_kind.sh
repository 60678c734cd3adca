# A limit on the size of files stands for the disk.
for kind in $(presto generate -h | sed -nE '/^KINDs:/,$s/^  ([a-z]+) .*/\1/p'); do
	status=0
	(
		trap '' XFSZ
		ulimit -f 4
		presto generate "$kind" --count 2 --threads 1 --out "$kind"
	) 2>message || status=$?
	grep '^presto: cannot' message
	echo "  status $status, $(grep -c '' message) line(s)"
	[ ! -e "$kind/$kind.conf" ]
done
