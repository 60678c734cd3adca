# Stages on one field are followed; what works on whole samples is refused.
trace=$(dirname "$0")/../../python/trace
for n in 000 001 002; do
	echo x >$n.jpg
	echo 1 >$n.cls
	tar cf shard-$n.tar $n.jpg $n.cls
	cp $n.jpg $n.left.jpg
	tar cf pair-$n.tar $n.left.jpg $n.cls
done
cat >my.py <<'END'
import torchvision.transforms as T
import webdataset as wds

URLS = [f"shard-{i:03}.tar" for i in range(3)]


def own(x):
    return x.after("own")


def tuples():
    chain = T.Compose([T.Resize(64), T.ToTensor(), own])
    data = wds.WebDataset(URLS).shuffle(100).decode("pil")
    return data.to_tuple("png;jpg", "cls").map_tuple(chain, lambda y: y)


def images():
    data = wds.WebDataset(URLS).shuffle(100).decode("pil").to_tuple("jpg", "cls")
    return data.map_tuple(T.Compose([T.Resize(64), T.ToTensor(), own]))


def dicts():
    data = wds.WebDataset(["shard-000.tar", "shard-002.tar"]).decode("torchrgb8")
    return data.map_dict(jpg=own)


def dotted():
    data = wds.WebDataset(["pair-000.tar", "pair-001.tar"]).decode("torchrgb8")
    return data.map_dict(**{"left.jpg": own})


def raw():
    return wds.WebDataset("shard-001.tar")


def selected():
    return wds.WebDataset(URLS).select(own)


def remote():
    return wds.WebDataset(["http://there/a.tar"])


def grey():
    return wds.WebDataset(URLS).decode("l")
END
for name in images dicts dotted raw tuples selected remote grey; do
	echo "$name:"
	"$trace" my.py:$name 2>&1 | grep -v -e '^interpreter' -e '^;' || true
done
