"""load_presto.py - presto, measured by its own command line.

What a form stores is written once by `presto materialize`, and then is the
dataset of a pipeline with the steps that are left. $PRESTO names the program,
by default build/presto of this tree.
"""
import loader
import loader_presto

SOURCE = """# compare.conf - written by load_presto.py
[dataset]
source = {source}
path   = {path}
{match}
[pipeline]
"""
STEPS = {
    "decoded": "jpeg_decode",
    "resized": f"resize shorter={loader.SHORTER} filter=bilinear "
               "antialias={antialias}",
    "squared": f"center_crop size={loader.SHORTER}",
    "cropped": f"center_crop size={loader.CROP}",
    "centered": "center",
}
# The representation that a form stores.
SPLITS = {"jpeg-records": "raw", "decoded-records": "decoded",
          "resized-records": "resized", "square-records": "squared"}


def steps(task, after=""):
    """The lines of the steps, or of those behind a representation."""
    names = [name for name in STEPS
             if name != "squared" or task.form == "square-records"]
    names = names[names.index(after) + 1:] if after in names else names
    antialias = "no" if task.variant == "no-antialias" else "yes"
    return "".join(f"{name} = {STEPS[name].format(antialias=antialias)}\n"
                   for name in names)


def whole(task):
    """The pipeline of the photographs, with all steps."""
    return SOURCE.format(source="folder", path=task.photos.resolve(),
                         match="match  = *.jpg\n") + steps(task)


def stored(task, split, store):
    """The folder of a representation that is stored."""
    if store not in loader_presto.presto("list", "stores").split():
        raise SystemExit(f"this build has no store {store}")
    return loader_presto.materialized(task, whole(task),
                                      f"{split}/{store}/none").resolve()


def pipeline(task):
    """The pipeline of what a form stores, with the steps that are left."""
    split = SPLITS.get(task.form)
    if not split:
        return whole(task)
    folder = stored(task, split, task.settings.get("store", "tar"))
    return SOURCE.format(source="presto", path=folder,
                         match="") + steps(task, split)


def answer(task, request):
    """Measures a task."""
    cache = "application" if task.form == "memory" else "system"
    return loader_presto.measure(
        loader_presto.Profile(task, pipeline(task), len(task.files), cache),
        request, len(task.files))


if __name__ == "__main__":
    loader_presto.main(answer)
