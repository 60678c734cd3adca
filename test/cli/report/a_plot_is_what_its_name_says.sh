# SVG and PNG; every other ending is refused, and nothing is written.
export PRESTO_DB=$MEASURED
presto report --plot - | head -c 5
echo
for chart in storage throughput steps epochs; do
	presto report --plot $chart.svg --chart $chart
	presto report --plot $chart.png --chart $chart 2>err ||
		grep -q 'needs .*name the file .svg' err || cat err
done
python3 - <<'END'
import pathlib, struct, xml.etree.ElementTree as tree
for path in sorted(pathlib.Path().glob("*.svg")):
    svg, png = tree.parse(path).getroot(), path.with_suffix(".png")
    if png.exists():
        data = png.read_bytes()
        assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[-8:-4] == b"IEND"
        size = struct.unpack(">II", data[16:24])
        assert size == tuple(2 * int(svg.get(k)) + 48 for k in ("width", "height")), size
    print(path, svg.tag.rpartition("}")[2])
END
rm ./*.svg
rm -f ./*.png
for name in plot.pdf plot.jpg plot svg; do
	presto report --plot $name 2>&1 || echo "exit $?"
done
presto report --plot plot.svg --session 99 2>/dev/null || echo "exit $?"
# Without a font there would be no letters.
echo '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig/>' >none.conf
FONTCONFIG_FILE=$PWD/none.conf presto report --plot plot.png 2>err || echo "refused"
grep -c 'a PNG needs .*name the file .svg' err
ls
