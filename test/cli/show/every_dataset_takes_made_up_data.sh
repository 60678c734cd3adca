# Each pipeline file in datasets/, over what its head says to generate.
datasets=$(dirname "$0")/../../../datasets
photos() { # NAME [GENERATE OPTIONS]
	name=$1
	shift
	presto generate photos --count 2 --out "$name" "$@" >/dev/null
}
splits() { # DATASET DIR [OPTIONS]
	file=$1
	dir=$2
	shift 2
	echo "$file: $(presto show --set dataset.path="$dir" "$@" \
	    "$datasets/$file.conf" | sed -n 's/^splits: //p')"
}
photos large --set width=640
photos raw --set format=png16 --set width=640
presto generate articles --count 2 --out articles >/dev/null
presto generate graph --set edges=2000 --out graph >/dev/null
presto generate signals --count 1 --set minutes=1 --out signals >/dev/null
presto generate speech --count 2 --out speech >/dev/null
presto generate speech --count 2 --set format=mp3 --out words >/dev/null
for file in ci imagenet imagenet-grey-before imagenet-grey-after simclr; do
	splits $file "$PHOTOS"
done
splits cubepp-jpg large
splits cubepp-png raw
splits openwebtext articles --set pipeline.bpe="bpe vocab=articles/vocab"
splits ogbn-style-graph graph
splits cream signals
splits librispeech speech
splits commonvoice words
for file in synthetic-read synthetic-rms; do
	presto show "$datasets/$file.conf" | sed -n "s/^splits: /$file: /p"
done
