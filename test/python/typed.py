"""What mypy takes: a program with types, which uses all of the loader."""

import presto


def train(folder: str) -> float:
    """Uses a loader as a training program does."""
    loader = presto.Loader(
        folder,
        batch_size=16,
        shuffle=True,
        seed=1,
        drop_last=True,
        rank=0,
        world_size=1,
        settings={"dataset.on_error": "skip"},
    )
    loader.load_state_dict(loader.state_dict())
    total = 0.0
    for batch in loader:
        total += float(batch["data"].sum()) / len(loader)
        keys: list[str] = batch.sample_keys
        total += len(keys) + batch.samples
    loader.epoch += 1
    dtype: str = loader.fields["data"].dtype
    step: presto.Step = presto.steps()[0]
    try:
        return total + loader.statistics().wait_share
    except presto.UsageError as error:
        raise presto.Error(dtype + step.name) from error
