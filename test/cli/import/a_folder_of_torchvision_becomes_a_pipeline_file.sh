# Known transforms are steps with equal parameters; others are python steps that
# find the callable in the dataset.
trace=$(dirname "$0")/../../python/trace
mkdir -p classes/b classes/a/deep "other place"
touch classes/b/1.jpg classes/a/2.JPG
cat >my.py <<'END'
import functools
import itertools

import torchvision
import torchvision.transforms as T
from torchvision.transforms import v2


def own(x):
    return x.after("own")


def by(x, how):
    return x.after(how)


TURNS = itertools.cycle((False, False, True))


def seldom(x):
    return x.after("seldom") if next(TURNS) else x


def folder(*rows):
    return torchvision.datasets.ImageFolder("classes", T.Compose(list(rows)))


MEAN, STD = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]
dataset = folder(
    T.Resize(256), T.CenterCrop(224), T.ToTensor(), T.Normalize(MEAN, STD), own
)
training = folder(
    T.RandomResizedCrop(224, interpolation=T.InterpolationMode.BICUBIC),
    T.ColorJitter(brightness=(0.6, 1.4), hue=(-0.1, 0.1)),
    T.RandomHorizontalFlip(),
    T.Compose([T.ToTensor(), T.RandomErasing(p=0.25)]),
)
second = torchvision.datasets.ImageFolder(
    "classes",
    v2.Compose(
        [
            v2.ToImage(),
            v2.Resize((64, 96), antialias=False),
            v2.RandomHorizontalFlip(p=1),
            v2.Identity(),
            v2.ToDtype("torch.float32", scale=True),
            v2.CenterCrop((32, 48)),
        ]
    ),
)
odd = folder(
    T.RandomCrop(32, padding=4, padding_mode="reflect"),
    T.Resize(20, max_size=30),
    T.RandomRotation(10),
    T.Lambda(lambda x: x.after("lambda")),
    functools.partial(by, how="partial"),
    T.Grayscale(),
    T.GaussianBlur((5, 5), (0.1, 2.0)),
    T.ToTensor(),
    own,
    T.Resize(8),
    seldom,
)
# Floats stay floats, and "warn" lets tensors have no antialias.
floats = folder(
    T.ToTensor(),
    T.Resize(16, antialias="warn"),
    T.Normalize(MEAN, STD),
    T.ConvertImageDtype("torch.float32"),
)
images = torchvision.datasets.ImageFolder("classes")


def make():
    return images
END
show() {
	"$trace" "$@" 2>&1 | sed 's/^interpreter = .*python.*/interpreter = PYTHON/'
}
for name in dataset training second odd floats; do
	show --compare 0 my.py:$name
done
show --compare 0 my.py:make
echo "written elsewhere"
show --compare 0 --out "other place/there.conf" my.py:dataset
sed "s,$PWD,HERE,g" "other place/there.conf" | grep -E '^(path|own)'
