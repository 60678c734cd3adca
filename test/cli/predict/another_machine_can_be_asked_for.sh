# A machine is described by probe, and may be changed by hand: slow cores give a low rate.
presto probe --tool presto --size 1MiB --files 4 -t 1 --export machine.conf . >/dev/null 2>&1
sed -nE 's/^(\[.*|cores|speed|reference|memory|bandwidth) ?.*/\1/p' machine.conf
ls
predict() {
	presto predict --set load.cache=system --set strategies.store=tar --set strategies.codec=none "$@" "$SMALL_PHOTOS/photos.conf"
}
predict --machine machine.conf >same
cut -d' ' -f1 same | sed '/^$/q'
sed -nE 's/^for [0-9]+ cores?, .* times as fast as those here, with .* of memory$/for that machine/p' same
sed 's/^speed = .*/speed = 0.01/' machine.conf >slow.conf
predict --machine slow.conf >slow
rate() { sed -nE 's/^unprocessed .*  ([0-9.]+( [0-9]{3})*) ± .*/\1/p' "$1" | tr -d ' '; }
awk -v a="$(rate same)" -v b="$(rate slow)" 'BEGIN { r = 100 * b / a; print (r < 50 ? "much slower" : r) }'
# A slow storage counts where data is cold.
printf '[machine]\ncores = 2\n[storage]\nbandwidth = 1kB/s\n' >storage.conf
predict --machine storage.conf --set load.cache=none | grep -c '(storage)$'
# Mistakes name the file and the line.
printf '[machine]\ncores = none\n' >wrong.conf
predict --machine wrong.conf 2>&1 || echo "exit $?"
printf '[storage]\nopens = 3\n' >wrong.conf
predict --machine wrong.conf 2>&1 || echo "exit $?"
predict --machine missing.conf 2>&1 || echo "exit $?"
presto predict 2>&1 || echo "exit $?"
ls
