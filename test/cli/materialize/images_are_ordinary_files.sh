for strategy in resized/tar/jpeg:80 decoded/tar/png decoded/files/png; do
	presto materialize --strategy $strategy --out data \
	    "$SMALL_PHOTOS/photos.conf" >/dev/null 2>&1 || exit 1
	grep -E '^(codec|data) =' data/presto.manifest
	mkdir files
	for shard in data/*.tar; do
		[ -f "$shard" ] && tar -xf "$shard" -C files
	done
	[ -d data/shard-000000 ] && cp -r data/shard-*/* files
	find files -name '*.jpg' -o -name '*.png' | sed 's/.*\.//' | sort | uniq -c
	# What a file is, is in its first bytes.
	find files -type f -name '*.[jp]*g' -exec head -c 4 {} \; |
	    od -An -v -tx1 -w4 | sort | uniq -c
	rm -r data files
done
