# A recording of 1 Hz would become 16000 times as long, a file of zeros and a
# member of an archive are larger than a sample may be: each is skipped, named
# and counted, and the others are measured.
le() { # NUMBER BYTES
	local i
	for ((i = 0; i < $2; i++)); do
		# shellcheck disable=SC2059
		printf "\\x$(printf %02x $(($1 >> 8 * i & 255)))"
	done
}
wav() { # HERTZ FRAMES
	printf 'RIFF' && le $((36 + 2 * $2)) 4 && printf 'WAVEfmt ' && le 16 4
	le 1 2 && le 1 2 && le "$1" 4 && le $((2 * $1)) 4 && le 2 2 && le 16 2
	printf data && le $((2 * $2)) 4 && head -c $((2 * $2)) /dev/zero
}
mkdir sound files
for i in 1 2 3; do wav 8000 8000 >sound/$i.wav; done
wav 1 200000 >sound/slow.wav
for i in 1 2 3; do echo "text $i" >files/$i.bin; done
head -c 20000000 /dev/zero >files/large.bin
(cd files && tar -cf ../a.tar -- *.bin && gzip -k ../a.tar)

conf() { # SOURCE STEP
	printf '[dataset]\n%s\non_error = skip\n[pipeline]\n%s\n' "$1" "$2"
	printf '[strategies]\nstore = tar\ncodec = none\n'
	printf '[load]\ncache = none\nthreads = 1\n'
	printf '[measure]\nruns = 1\nprobe = no\nepochs = 1\n'
}
said() { # of the warnings only what is about samples
	sed -n 's/^presto: warning: \(.*skipped.*\)/\1/p' err
}
conf 'source = folder
path = sound' 'decoded = audio_decode
at = resample rate=16000' >sound.conf
for source in 'folder:files' 'tar:a.tar' 'tar:a.tar.gz'; do
	conf "source = ${source%:*}
path = ${source#*:}" 'same = identity' >"${source#*:}.conf"
done

echo "-- the default is 1 GB"
presto profile --split raw sound.conf >out 2>err || cat err
said
for what in files a.tar a.tar.gz; do
	echo "-- $what"
	presto profile --split raw $what.conf --set limits.sample=1MB \
	    >out 2>err || cat err
	said
	presto materialize --strategy raw/tar $what.conf --out "$what.out" \
	    --set limits.sample=1MB >out 2>err || cat err
	said
done
echo "-- a folder of other samples is not taken for complete"
presto materialize --strategy raw/tar files.conf --out files.out 2>&1 |
    sed 's/;.*//'
echo "-- without on_error=skip it ends"
presto profile --split raw a.tar.conf --set limits.sample=1MB \
    --set dataset.on_error=fail 2>&1 >/dev/null | tail -n 1
echo "-- 0 is any"
presto profile --split raw a.tar.conf --set limits.sample=0 >out 2>err || cat err
said
echo "-- show says it"
presto show files.conf --set limits.sample=25MB | grep limits
echo "-- a size that is known is refused before"
conf 'source = synthetic
shape = 4x4x3
dtype = uint8
count = 2' 'resized = resize size=4000x4000' >known.conf
presto show known.conf --set limits.sample=10MB 2>&1 | grep -v '^ '
echo "-- mistakes"
presto show known.conf --set limits.smaple=10MB 2>&1 || true
presto show known.conf --set limits.sample=much 2>&1 || true
printf '[limit]\nsample = 1GB\n' >>known.conf
presto show known.conf 2>&1 || true
