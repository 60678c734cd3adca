"""presto for TensorFlow: `batch.tf()`, and a tf.data.Dataset.

    for batch in presto.tf.dataset("train", batch_size=256, shuffle=True):
        x, y = batch["data"], batch["label"]
"""

import os
import typing
from collections.abc import Iterator

import tensorflow as tf

from presto.batch import Batch
from presto.loader import Field, Loader


def _keys(batch: Batch) -> list[bytes]:
    return [
        key.encode("utf-8", "surrogateescape") for key in batch.sample_keys
    ]


def convert(batch: Batch) -> dict[str, typing.Any]:
    """Returns {name: tensor}; a list of tensors where the shape varies."""
    result = batch.map(tf.convert_to_tensor)
    if isinstance(result["key"], list):
        result["key"] = tf.convert_to_tensor(_keys(batch))
    return result


def _ragged(arrays: list[typing.Any]) -> typing.Any:
    """Returns a ragged tensor of arrays whose first dim alone varies."""
    values = tf.concat(arrays, axis=0)
    lengths = [len(array) for array in arrays]
    return tf.RaggedTensor.from_row_lengths(values, lengths)


def _signature(field: Field) -> typing.Any:
    dtype = tf.as_dtype(field.dtype)
    if -1 not in field.shape:
        return tf.TensorSpec((None, *field.shape), dtype)
    shape = (None, None, *field.shape[1:])
    return tf.RaggedTensorSpec(shape, dtype, ragged_rank=1)


def dataset(path: str | os.PathLike[str], **options: typing.Any) -> typing.Any:
    """Returns a tf.data.Dataset of batches.

    It takes the arguments of presto.Loader.  Each iteration is the next
    epoch.  A field whose first dim alone varies is a ragged tensor; others
    that vary have no form in TensorFlow, and are refused.
    """
    loader = Loader(path, **options)
    signature: dict[str, typing.Any] = {
        "label": tf.TensorSpec((None,), tf.int64),
        "key": tf.TensorSpec((None,), tf.string),
    }
    for name, field in loader.fields.items():
        if -1 in field.shape[1:]:
            raise ValueError(
                f"field '{name}' varies in shape {field.shape}: add a step "
                "such as resize, or iterate over a presto.Loader"
            )
        signature[name] = _signature(field)

    def value(batch: Batch, name: str) -> typing.Any:
        if name in loader.fields:
            arrays = batch[name]
            return _ragged(arrays) if isinstance(arrays, list) else arrays
        return _keys(batch) if name == "key" else batch.labels

    def batches() -> Iterator[dict[str, typing.Any]]:
        for batch in loader:
            yield {name: value(batch, name) for name in signature}

    return tf.data.Dataset.from_generator(batches, output_signature=signature)
