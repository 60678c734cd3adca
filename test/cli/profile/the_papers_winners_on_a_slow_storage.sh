# Of what is stored, where storage is the limit by far: not fully preprocessed
# data where the last step makes it larger, but where it makes it smaller.
datasets=$(dirname "$0")/../../../datasets
best() { # FILE DIR SPLITS [OPTIONS]
	file=$1
	dir=$2
	splits=$3
	shift 3
	presto profile --set dataset.path="$dir" --split "$splits" \
	    --store tfrecord --codec none --cache none --runs 2 --threads 2 \
	    --set storage.bandwidth=100MB/s --set storage.latency=614us \
	    --samples 8 "$@" \
	    "$datasets/$file.conf" >/dev/null 2>&1
	presto report --csv | awk -F, -v file="$file" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["split"] == "unprocessed" { next }
		$at["throughput_samples_per_s"] + 0 > most {
			most = $at["throughput_samples_per_s"] + 0
			best = $at["split"]
		}
		END { print file ": " best }'
}
presto generate articles --count 8 --out articles >/dev/null
presto generate signals --count 1 --set minutes=1 --out signals >/dev/null
best imagenet "$PHOTOS" resized,centered
best openwebtext articles bpe,embedded \
    --set pipeline.bpe="bpe vocab=articles/vocab"
best cream signals windowed,aggregated
