# The functions of map and of set_transform are python steps on one column.
trace=$(dirname "$0")/../../python/trace
mkdir -p photos/cat photos/dog
touch photos/cat/1.jpg photos/cat/2.jpg photos/dog/1.jpg
cat >my.py <<'END'
import itertools

import datasets

TURNS = itertools.cycle((False, False, True))
FILES = [("photos/cat/1.jpg", 0), ("photos/cat/2.jpg", 0), ("photos/dog/1.jpg", 1)]
data = datasets.Dataset(
    [{"image": {"path": p, "bytes": None}, "label": y} for p, y in FILES]
)


def small(row):
    row["image"] = row["image"].after("small")
    return row


def pixels(rows):
    return {"pixels": [image.after("pixels") for image in rows["image"]]}


def seldom(row):
    if next(TURNS):
        row["image"] = row["image"].after("seldom")
    return row


def with_label(row):
    return {"image": row["image"], "x": row["label"]}


mapped = data.to_iterable_dataset().shuffle().map(small).map(pixels, batched=True)
plain = data
transformed = data.with_transform(pixels)
drawn = data.to_iterable_dataset().map(seldom)
labelled = data.to_iterable_dataset().map(with_label)
filtered = data.to_iterable_dataset().filter(bool)
indexed = data.to_iterable_dataset().map(small, with_indices=True)
splits = datasets.DatasetDict(train=data, test=data)
table = datasets.Dataset([{"text": "a"}])
other = datasets.Dataset([dict(row, label=1 - row["label"]) for row in data.rows])
END
for name in mapped plain transformed drawn labelled filtered indexed splits table other; do
	echo "$name:"
	"$trace" my.py:$name 2>&1 | grep -v '^interpreter' | sed "s,$PWD,HERE,g"
done
