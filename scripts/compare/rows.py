"""rows.py - what is compared: environments, and the rows of the tables."""
from typing import NamedTuple


class Packages(NamedTuple):
    """What pip installs; the newest that there is, unless a number is said.

    The packages of the base are seen, too; `own`: and presto, of this tree.
    """

    names: tuple
    base: str = ""
    options: tuple = ()
    own: bool = False


ENVIRONMENTS = {
    "presto": Packages(("numpy", "pillow"), own=True),
    "tensorflow": Packages(("tensorflow-cpu", "grain", "array_record",
                            "opencv-python-headless", "pillow", "pandas")),
    "torch": Packages(("torch", "torchvision", "webdataset",
                       "opencv-python-headless", "pillow")),
    "dali": Packages(("nvidia-dali-cuda120", "numpy", "pillow")),
    "spdl": Packages(("spdl", "spdl_io", "numpy", "pillow")),
    "ffcv": Packages(("ffcv",), "torch"),
    # Later ones want an older PyTorch.
    "dgl": Packages(("dgl==1.1.3", "packaging"), "torch"),
    # It samples with one of these two.
    "pyg": Packages(("torch_geometric", "pyg-lib"), "torch"),
    # It wants a function that xxhash 4 no longer has.
    "mosaicml": Packages(("mosaicml-streaming", "xxhash<4"), "torch"),
    "litdata": Packages(("litdata",), "torch"),
    "tiktoken": Packages(("tiktoken", "numpy")),
    "librosa": Packages(("librosa",)),
}

FORMS = {
    "files": "Files: everything is done in every epoch",
    "jpeg-records": "JPEG records: the files in the format of the loader",
    "decoded-records": "Decoded records: bytes of pixels, to be resized, "
                       "cropped and scaled",
    "resized-records": "Resized records: bytes of pixels, shorter side 256, "
                       "to be cropped and scaled",
    "square-records": "Square records: the same, all 256 x 256, so that they "
                      "are one array",
    "memory": "Memory: the cache of the loader itself, behind all steps",
    "text": "Text: documents of 4 kB to tokens, by GPT-2's vocabulary",
    "audio": "Audio: files of recordings to log-mel spectra, 80 bands of "
             "frames of 20 ms every 10 ms",
    "graph": "Graphs: sampled neighbourhoods, 15, 10, 5 of a node, with 64 "
             "features",
}
# What the row of load_bound.py says.
BOUND = ("The row \"writing alone\" is no loader: threads write as many bytes "
         "into batches, and read and compute nothing. So its \"presto / it\" "
         "is the part of this machine's bound that presto reaches, and no "
         "loader can be much faster than this row.")
# What to see in each table.
REMARKS = {
    "files": "Each epoch reads, decodes, resizes, crops and scales every "
             "photograph. Decoding takes most of the time.",
    "jpeg-records": "The same work, out of a few large files. All is in the "
                    "page cache, so large files gain little; on a cold "
                    "storage they gain much.",
    "decoded-records": "Decoding is done before. presto resizes only the "
                       "part that the crop keeps.",
    "resized-records": "What is left is a crop and a scaling, so the table "
                       "shows what each loader itself takes for a sample. "
                       + BOUND,
    "square-records": "All images have one shape, so that loaders can map "
                      "one array into memory. " + BOUND,
    "memory": "The loader keeps finished samples in memory, and copies them "
              "into batches. " + BOUND,
    "text": "Both give the same tokens. presto's loader starts from stored "
            "records, ends at batches, and remembers the words that it has "
            "met, from pass to pass. In the row of cold words it is the step "
            "alone, from memory, and forgets them before each pass. tiktoken "
            "starts from strings in memory, and remembers nothing.",
    "audio": "Both start from files and end at float32 spectra. The "
             "recordings are made up: their bytes are as of LibriSpeech and "
             "Common Voice.",
    "graph": "The graph is in memory. Each epoch visits every node once as a "
             "seed.",
}
# Of the others: images/s.
UNITS = {"text": "MB/s of text", "audio": "seconds of sound a second",
         "graph": "seeds/s"}
# The options that a form needs; of the others: photographs.
NEEDS = {"text": ("texts", "vocabulary"), "audio": (), "graph": ("graph",)}
# Rows of one kind do the same work.  What the resizing looks at:
SMOOTH = "antialiased"
SHARP = "not antialiased"


class Choice(NamedTuple):
    """A setting of a loader, as its program takes it."""

    variant: str
    words: str  # how the table names the variant
    settings: tuple  # of pairs: what loader.count reads

    @property
    def text(self):
        """How the table names it."""
        parts = [setting_text(name, str(value))
                 for name, value in self.settings]
        return ", ".join(part for part in (self.words, *parts) if part)


def setting_text(name, value):
    """A setting in words."""
    if value.endswith("x"):
        return f"{setting_text(name, value[:-1])} a core"
    return {"ahead": f"{value} ahead", "batch": f"batches of {value}",
            "store": value, "words": ""}.get(
                name, "as it tunes itself" if value == "tuned"
                else f"no {name}" if value == "0"
                else f"1 {name[:-1]}" if value == "1" else f"{value} {name}")


class Row(NamedTuple):
    """A line of a table: the best setting of a loader for one kind of work."""

    form: str
    loader: str
    environment: str  # "" for the program of presto
    program: str
    kind: str  # SMOOTH, SHARP, a file format; "" where nothing differs
    choices: tuple = ()
    absent: str = ""  # why there is nothing to run
    cores: str = "each"  # "most": only on the most; "one": only on one

    @property
    def name(self):
        """How --rows knows it: files/tf.data/antialiased."""
        return "/".join(part for part in (self.form, self.loader, self.kind)
                        if part)

    def on(self, cores, core_counts):
        """Whether it is measured on so many of these numbers of cores."""
        return {"each": True, "most": cores == core_counts[-1],
                "one": cores == core_counts[0]}[self.cores]


def choices(variants, *settings):
    """Each variant with each of the settings; a variant may have words."""
    if isinstance(variants, str):
        variants = {variants: ""}
    return tuple(Choice(variant, words, tuple(each.items()))
                 for variant, words in variants.items()
                 for each in settings or ({},))


THREADS = ({"threads": "1x"}, {"threads": "2x"})
AHEAD = ({"threads": "1x", "ahead": 2}, {"threads": "1x", "ahead": 4},
         {"threads": "2x", "ahead": 2})
WORKERS = ({"workers": "1x"}, {"workers": "2x"})


def presto(form, kind, variant, stores=("",), **more):
    """A row of presto: in one of its stores."""
    return Row(form, "presto", "", "load_presto", kind, choices(
        variant, *({"store": store} if store else {} for store in stores)),
        **more)


def python(form, kind, variant, stores=("",), **more):
    """A row of presto.Loader: in one of presto's stores."""
    return Row(form, "presto.Loader", "presto", "load_presto_python", kind,
               choices(variant, *({"store": store} if store else {}
                                  for store in stores)), **more)


def tf_data(form, kind, variants, **more):
    """A row of tf.data."""
    return Row(form, "tf.data", "tensorflow", "load_tf_data", kind, choices(
        variants, *THREADS, {"threads": "tuned"}), **more)


def dali(form, kind, variant, words):
    """A row of DALI."""
    return Row(form, "DALI", "dali", "load_dali", kind,
               choices({variant: words}, *AHEAD))


def torch(form, kind, variants, settings=WORKERS, **more):
    """A row of PyTorch's DataLoader."""
    return Row(form, "torch DataLoader", "torch", "load_torch", kind,
               choices(variants, *settings), **more)


def web(form, kind, words):
    """A row of webdataset."""
    return Row(form, "webdataset", "torch", "load_webdataset", kind, choices(
        {"default": words}, {"workers": "1x", "ahead": 2},
        {"workers": "1x", "ahead": 8}))


def mosaicml(form, kind, words):
    """A row of mosaicml-streaming."""
    return Row(form, "mosaicml-streaming", "mosaicml", "load_mosaicml", kind,
               choices({"default": words}, *WORKERS))


def litdata(form, kind, words):
    """A row of litdata."""
    return Row(form, "litdata", "litdata", "load_litdata", kind,
               choices({"default": words}, *WORKERS))


def grain(form, kind, variant, words):
    """A row of Grain."""
    return Row(form, "Grain", "tensorflow", "load_grain", kind, choices(
        {variant: words}, {"threads": "1x", "ahead": 4},
        {"threads": "1x", "ahead": 16}, {"threads": "2x", "ahead": 16}))


def ffcv(form, kind, words, **more):
    """A row of FFCV."""
    return Row(form, "FFCV", "ffcv", "load_ffcv", kind, choices(
        {"default": words}, {"threads": "1x", "ahead": 3},
        {"threads": "1x", "ahead": 6}, {"threads": "1x", "ahead": 12}),
        **more)


def spdl(form, kind, words):
    """A row of SPDL."""
    return Row(form, "SPDL", "spdl", "load_spdl", kind,
               choices({"default": words}, *THREADS))


def original(form):
    """A row of the original PRESTO."""
    return Row(form, "original PRESTO", "tensorflow", "load_original",
               SHARP if form != "resized-records" else "", choices(
                   {"default": "TFRecord" if form != "files" else ""},
                   {"threads": "1x"}, {"threads": "1x", "batch": 64}),
               cores="most")


def bound(form, **more):
    """The row that only writes batches."""
    return Row(form, "writing alone", "", "load_bound", "", choices(
        {"store": "vector stores", "prefetch": "vector stores, prefetched",
         "past-caches": "non-temporal stores", "memset": "memset"},
        {"buffers": 1}, {"buffers": "3x"}), **more)


def absent(form, loader, program, reason):
    """A row without a figure."""
    return Row(form, loader, "", program, "", absent=reason)


STORES = ("tar", "tfrecord")
ROWS = [
    presto("files", SMOOTH, "antialias"),
    python("files", SMOOTH, "antialias"),
    presto("files", SHARP, "no-antialias"),
    python("files", SHARP, "no-antialias"),
    tf_data("files", SMOOTH, {"antialias": "fast DCT"}),
    tf_data("files", SHARP, {"default": "fast DCT",
                             "accurate": "accurate DCT"}),
    torch("files", SMOOTH, {"torchvision": "torchvision on tensors",
                            "opencv": "OpenCV, INTER_AREA",
                            "pillow": "Pillow, the usual recipe"},
          ({"workers": "1x"},)),
    torch("files", SHARP, {"no-antialias": "torchvision on tensors"}),
    dali("files", SMOOTH, "antialias", ""),
    dali("files", SHARP, "no-antialias", ""),
    grain("files", SMOOTH, "default", "OpenCV, INTER_AREA"),
    spdl("files", SMOOTH, "FFmpeg"),
    original("files"),
    absent("files", "FFCV", "load_ffcv", "reads its own .beton only"),
    absent("files", "webdataset", "load_webdataset", "reads tar only"),

    presto("jpeg-records", SMOOTH, "antialias", STORES),
    python("jpeg-records", SMOOTH, "antialias", STORES),
    presto("jpeg-records", SHARP, "no-antialias", STORES),
    python("jpeg-records", SHARP, "no-antialias", STORES),
    tf_data("jpeg-records", SHARP, {"default": "TFRecord, fast DCT"}),
    dali("jpeg-records", SMOOTH, "antialias", "tar"),
    ffcv("jpeg-records", SMOOTH,
         ".beton, JPEG encoded anew at quality 90, INTER_AREA of the crop"),
    grain("jpeg-records", SMOOTH, "default",
          "ArrayRecord, OpenCV, INTER_AREA"),
    web("jpeg-records", SMOOTH, "tar, torchvision on tensors"),
    mosaicml("jpeg-records", SMOOTH, "MDS, torchvision on tensors"),
    litdata("jpeg-records", SMOOTH, "chunks, torchvision on tensors"),
    original("jpeg-records"),
    absent("jpeg-records", "torch DataLoader", "load_torch",
           "has no record format of its own: see webdataset"),
    absent("jpeg-records", "SPDL", "load_spdl",
           "has no record format of its own"),

    presto("decoded-records", SMOOTH, "antialias", STORES),
    python("decoded-records", SMOOTH, "antialias", STORES),
    presto("decoded-records", SHARP, "no-antialias", STORES),
    python("decoded-records", SHARP, "no-antialias", STORES),
    tf_data("decoded-records", SHARP, {"default": "TFRecord"}),
    dali("decoded-records", SMOOTH, "antialias", ".npy"),
    ffcv("decoded-records", SMOOTH, ".beton, raw, INTER_AREA of the crop"),
    grain("decoded-records", SMOOTH, "default",
          "ArrayRecord, OpenCV, INTER_AREA"),
    web("decoded-records", SMOOTH, ".npy in tar, torchvision on tensors"),
    mosaicml("decoded-records", SMOOTH, "MDS, torchvision on tensors"),
    litdata("decoded-records", SMOOTH, "chunks, torchvision on tensors"),
    torch("decoded-records", SMOOTH,
          {"default": ".npy, torchvision on tensors"}),
    original("decoded-records"),
    absent("decoded-records", "SPDL", "load_spdl", "does not resize arrays"),

    presto("resized-records", "", "antialias", (*STORES, "files")),
    python("resized-records", "", "antialias", (*STORES, "files")),
    tf_data("resized-records", "", {"default": "TFRecord"}),
    dali("resized-records", "", "default", ".npy"),
    ffcv("resized-records", "", ".beton, raw, memory-mapped"),
    grain("resized-records", "", "default", "ArrayRecord"),
    spdl("resized-records", "", ".npy"),
    web("resized-records", "", ".npy in tar"),
    mosaicml("resized-records", "", "MDS"),
    litdata("resized-records", "", "chunks"),
    torch("resized-records", "", {"default": ".npy"}),
    original("resized-records"),
    bound("resized-records"),

    presto("square-records", "", "default", (*STORES, "npy"), cores="most"),
    python("square-records", "", "default", (*STORES, "npy"), cores="most"),
    ffcv("square-records", "", ".beton, raw, memory-mapped", cores="most"),
    torch("square-records", "",
          {"default": ".npy, one array, memory-mapped"}, cores="most"),
    bound("square-records", cores="most"),

    presto("memory", "", "default", cores="most"),
    python("memory", "", {"default": "stored in npy, mapped"}, cores="most"),
    tf_data("memory", "", {"default": "Dataset.cache()"}, cores="most"),
    bound("memory", cores="most"),

    Row("text", "presto", "", "load_presto_text", "words remembered",
        choices({"default": "raw/tar, from records to batches"})),
    Row("text", "presto.Loader", "presto", "load_presto_python",
        "words remembered",
        choices({"default": "raw/tar, from records to batches"})),
    Row("text", "presto", "", "load_presto_text", "words cold",
        choices({"default": "the step alone, from memory"},
                {"words": "cold"}), cores="one"),
    Row("text", "tiktoken", "tiktoken", "load_tiktoken", "words cold",
        choices({"default": "encode_ordinary, from memory"}, *THREADS)),

    Row("audio", "presto", "", "load_presto_audio", "FLAC, 16 kHz",
        choices("flac"), cores="most"),
    Row("audio", "presto", "", "load_presto_audio", "MP3, 48 kHz",
        choices("mp3"), cores="most"),
    Row("audio", "presto.Loader", "presto", "load_presto_python",
        "FLAC, 16 kHz", choices("flac"), cores="most"),
    Row("audio", "presto.Loader", "presto", "load_presto_python",
        "MP3, 48 kHz", choices("mp3"), cores="most"),
    Row("audio", "librosa", "librosa", "load_librosa", "FLAC, 16 kHz",
        choices("flac", *THREADS), cores="most"),
    Row("audio", "librosa", "librosa", "load_librosa", "MP3, 48 kHz",
        choices("mp3", *THREADS), cores="most"),

    Row("graph", "presto", "", "load_presto_graph", "",
        choices({"default": "cache=application"})),
    Row("graph", "presto.Loader", "presto", "load_presto_python", "",
        choices({"default": "rows/tar, in the page cache"})),
    Row("graph", "DGL", "dgl", "load_dgl", "", choices(
        {"default": "NeighborSampler"}, {"workers": 0}, {"workers": "1x"})),
    Row("graph", "PyG", "pyg", "load_pyg", "", choices(
        {"default": "NeighborLoader"}, {"workers": 0}, {"workers": "1x"})),
]
