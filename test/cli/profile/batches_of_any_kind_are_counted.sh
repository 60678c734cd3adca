# What a batch of the user's own loader holds: the first dimension of its first
# tensor, else fields are lists in it, and samples are anything else.
root=$(dirname "$0")/../../..
PYTHONPATH=$root/lib/python python3 -B - \
    "$root/strategies/trial/user_loader.py" <<'END'
import importlib.util
import sys
from collections import UserDict

spec = importlib.util.spec_from_file_location("user_loader", sys.argv[1])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)


class Tensor:
    def __init__(self, *shape):
        self.shape = shape


class Graphs:
    batch_size = 9


x, scalar = Tensor(5, 3), Tensor()
for batch in (
    x,
    [x, Tensor(5)],
    (x, [1, 2, 3, 4, 5]),
    {"x": x},
    UserDict(x=[1, 2, 3, 4, 5]),
    {"a": {"b": x}},
    ([1, 2, 3, 4, 5], [6]),
    ([Tensor(3, 9, 9)] * 5, [{}] * 5),
    [(Tensor(3, 9), 1)] * 5,
    [{"x": 1}] * 5,
    [1, 2, 3, 4, 5],
    [b"file"] * 5,
    ["text"] * 5,
    range(5),
):
    assert module.count(batch) == 5, batch
for batch, samples in ((Graphs(), 9), (scalar, 1), (b"file", 1), (7, 1), ([], 0)):
    assert module.count(batch) == samples, batch
END
echo counted
