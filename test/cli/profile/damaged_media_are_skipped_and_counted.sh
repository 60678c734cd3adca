# The second half of a photograph, of a recording and of an archive's member is
# lost: none of them is delivered as whole, and on_error=skip counts them.
halve() { # FILE END: zeros in place of the second half, then END
	local bytes half
	bytes=$(wc -c <"$1")
	half=$((bytes / 2))
	head -c $half "$1"
	head -c $((bytes - half - ${#2} / 4)) /dev/zero
	# shellcheck disable=SC2059
	printf "$2"
}
conf() { # NAME MATCH STEP
	printf '[dataset]\nsource = folder\npath = %s\nmatch = *.%s\n' "$1" "$2"
	printf 'on_error = skip\n[pipeline]\ndecoded = %s\n' "$3"
	printf '[strategies]\nsplit = raw\nstore = tar\ncodec = none\n'
	printf '[load]\ncache = none\nthreads = 1\n'
	printf '[measure]\nruns = 1\nprobe = no\nepochs = 1\n'
}
run() { # NAME
	presto profile "$1.conf" >out 2>err || cat err
	sed -n 's/^presto: warning: \(.*skipped.*\)/\1/p' err
}
mkdir photos sound
n=0
for photo in $(find "$SMALL_PHOTOS" -name '*.jpg' | sort | head -n 4); do
	n=$((n + 1))
	cp "$photo" photos/$n.jpg
done
halve photos/1.jpg '\xff\xd9' >photos/zeros.jpg
{ head -c $(($(wc -c <photos/2.jpg) / 2)) photos/2.jpg && printf '\xff\xd9'; } \
    >photos/cut.jpg
{ head -c -2 photos/3.jpg && head -c 300 /dev/zero && printf '\xff\xd9'; } \
    >photos/padded.jpg
conf photos jpg jpeg_decode >photos.conf
run photos
presto report --csv | cut -d, -f14,15 | sort -u
presto generate speech --count 2 --seed 1 --out sound >/dev/null 2>&1
recording=$(find sound -name '*.flac' | sort | head -n 1)
halve "$recording" '' >sound/zeros.flac
{ cat "$recording" && printf TAG && head -c 125 /dev/zero; } >sound/tagged.flac
conf sound flac audio_decode >sound.conf
run sound
# The data of a damaged gzip file may inflate all the same: its checksum tells.
tar -cf a.tar -C photos 1.jpg 2.jpg && gzip -1 a.tar
printf '[dataset]\nsource = tar\npath = a.tar.gz\n[pipeline]\nsame = identity\n' \
    >archive.conf
presto show archive.conf | head -n 1
cp a.tar.gz whole.gz
printf 'junk behind' >>a.tar.gz
presto show archive.conf | head -n 1
for at in -8 -4; do # its checksum, its length
	cp whole.gz a.tar.gz
	printf 'xxxx' | dd of=a.tar.gz bs=1 conv=notrunc status=none \
	    seek=$(($(wc -c <a.tar.gz) + at))
	presto show archive.conf 2>&1 || true
done
