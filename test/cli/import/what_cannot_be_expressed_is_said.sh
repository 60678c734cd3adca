trace=$(dirname "$0")/../../python/trace
mkdir -p classes/b classes/a nested/1/x nested/2 plain/a
touch classes/b/1.jpg nested/1/x/1.jpg nested/2/2.jpg plain/a/1.webp
cat >my.py <<'END'
import torchvision
import torchvision.transforms as T

folder = torchvision.datasets.ImageFolder
empty_class = folder("classes")
numbers = folder("nested")
changed = folder("classes", classes=["b"], target_transform=abs)
no_samples = folder("classes", classes=["a"])
number = 7


def picture(path):
    return torchvision.datasets.default_loader(path)


own_loader = torchvision.datasets.DatasetFolder("plain", picture)
END
for name in my.py:empty_class my.py:numbers my.py:changed my.py:no_samples my.py:number my.py:missing my.py none.py:x; do
	status=0
	"$trace" --compare 0 $name 2>log || status=$?
	echo "exit $status: $(sed "s,$PWD,HERE,g" log)"
done
"$trace" --compare 0 my.py:own_loader | grep -E '^(match|decoded)'
