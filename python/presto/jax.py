"""presto for JAX: `batch.jax()` has the arrays of a batch."""

import typing

import jax
import jax.numpy

from presto.batch import Batch


def _array(array: typing.Any) -> jax.Array:
    """Returns an array of JAX, without a copy where JAX has the dtype.

    JAX knows no 64-bit numbers unless it is told to, and converts them.
    """
    if array.dtype in ("int64", "uint64", "float64"):
        return jax.numpy.asarray(array)
    return jax.numpy.from_dlpack(array)


def convert(
    batch: Batch, device: typing.Any = None
) -> dict[str, typing.Any]:
    """Returns {name: array}; a list where the shape varies; the keys.

    Arrays share the memory of the batch where JAX can do so, and stay valid as
    long as they are used.  `device` may be a device or a sharding.
    """

    def one(array: typing.Any) -> jax.Array:
        made = _array(array)
        return made if device is None else jax.device_put(made, device)

    return batch.map(one)
