"""rows.py - what is compared: environments, and a row for each setting."""
from typing import NamedTuple

# What pip installs; the newest that there is, its version is in the table.
ENVIRONMENTS = {
    "tensorflow": ["tensorflow-cpu", "grain", "array_record",
                   "opencv-python-headless", "pillow"],
    "torch": ["torch", "torchvision", "webdataset", "opencv-python-headless",
              "pillow"],
    "dali": ["nvidia-dali-cuda120", "numpy", "pillow"],
    "spdl": ["spdl", "spdl_io", "numpy", "pillow"],
    "ffcv": ["torch", "torchvision", "ffcv", "pillow"],
    "tiktoken": ["tiktoken"],
    "librosa": ["librosa"],
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
    "text": "Text: articles to tokens, by a byte-level BPE vocabulary",
    "audio": "Audio: files of recordings to log-mel spectra, 80 bands of "
             "frames of 20 ms every 10 ms",
}
# What to see in each table.
REMARKS = {
    "files": "Each epoch reads, decodes, resizes, crops and scales every "
             "photograph. Decoding takes most of the time, so all loaders "
             "are within a factor of about four.",
    "jpeg-records": "The same work, out of a few large files. All is in the "
                    "page cache, so large files gain little; on a cold "
                    "storage they gain much.",
    "decoded-records": "Decoding is done before. presto resizes only the "
                       "part that the crop keeps.",
    "resized-records": "What is left is a crop and a scaling, so the table "
                       "shows what each loader itself takes for a sample.",
    "square-records": "All images have one shape, so that loaders can map "
                      "one array into memory.",
    "memory": "The loader keeps finished samples in memory, and copies them "
              "into batches.",
    "text": "Both give the same tokens. presto starts from stored records "
            "and ends at batches; tiktoken starts from strings in memory.",
    "audio": "Both start from files and end at float32 spectra. librosa runs "
             "one thread a core.",
}
# Of the others: images/s.
UNITS = {"text": "MB/s of text", "audio": "seconds of sound a second"}
# Rows of one kind do the same work.  What the resizing looks at:
SMOOTH = "antialiased"
SHARP = "not antialiased"


class Row(NamedTuple):
    """A line of a table: a loader in one of its settings."""

    form: str
    loader: str
    environment: str  # "" for presto
    program: str
    variant: str
    kind: str  # SMOOTH, SHARP, a file format; "" where nothing differs
    settings: str
    strategy: str = ""  # of presto
    absent: str = ""  # why there is nothing to run

    @property
    def name(self):
        """How --only names the loader: tf-data, dali, presto."""
        return self.program.removeprefix("load_").replace("_", "-")


def presto(form, variant, kind, strategy, settings):
    """A row of presto."""
    return Row(form, "presto", "", "load_presto", variant, kind, settings,
               strategy)


def tf_data(form, variant, kind, settings):
    """A row of tf.data."""
    return Row(form, "tf.data", "tensorflow", "load_tf_data", variant, kind,
               settings)


def dali(form, variant, kind, settings):
    """A row of DALI."""
    return Row(form, "DALI", "dali", "load_dali", variant, kind, settings)


def torch(form, variant, kind, settings):
    """A row of PyTorch's DataLoader."""
    return Row(form, "torch DataLoader", "torch", "load_torch", variant, kind,
               settings)


def web(form, kind, settings, absent=""):
    """A row of webdataset."""
    return Row(form, "webdataset", "torch", "load_webdataset", "default",
               kind, settings, absent=absent)


def grain(form, variant, kind, settings):
    """A row of Grain."""
    return Row(form, "Grain", "tensorflow", "load_grain", variant, kind,
               settings)


def ffcv(form, kind, settings, absent=""):
    """A row of FFCV."""
    return Row(form, "FFCV", "ffcv", "load_ffcv", "default", kind, settings,
               absent=absent)


def spdl(form, kind, settings, absent=""):
    """A row of SPDL."""
    return Row(form, "SPDL", "spdl", "load_spdl", "default", kind, settings,
               absent=absent)


ROWS = [
    presto("files", "antialias", SMOOTH, "unprocessed",
           "antialiased, accurate DCT"),
    presto("files", "no-antialias", SHARP, "unprocessed",
           "not antialiased, accurate DCT"),
    tf_data("files", "default", SHARP,
            "not antialiased, fast DCT: its defaults"),
    tf_data("files", "accurate", SHARP, "not antialiased, accurate DCT"),
    tf_data("files", "antialias", SMOOTH, "antialiased, fast DCT"),
    torch("files", "torchvision", SMOOTH,
          "torchvision on tensors: antialiased, accurate DCT"),
    torch("files", "no-antialias", SHARP,
          "torchvision on tensors: not antialiased, accurate DCT"),
    torch("files", "pillow", SMOOTH,
          "Pillow, the usual recipe: antialiased, accurate DCT"),
    torch("files", "opencv", SMOOTH, "OpenCV, INTER_AREA, accurate DCT"),
    dali("files", "antialias", SMOOTH, "antialiased, accurate DCT"),
    dali("files", "no-antialias", SHARP, "not antialiased, accurate DCT"),
    grain("files", "default", SMOOTH, "OpenCV, INTER_AREA, accurate DCT"),
    grain("files", "no-antialias", SHARP,
          "OpenCV, not antialiased, accurate DCT"),
    spdl("files", SMOOTH, "FFmpeg, its bilinear scaler"),
    ffcv("files", "", "", absent="reads its own .beton only"),
    web("files", "", "", absent="reads tar only"),

    presto("jpeg-records", "antialias", SMOOTH, "raw/tar/none",
           "raw/tar: antialiased, accurate DCT"),
    presto("jpeg-records", "antialias", SMOOTH, "raw/tfrecord/none",
           "raw/tfrecord: antialiased, accurate DCT"),
    presto("jpeg-records", "no-antialias", SHARP, "raw/tar/none",
           "raw/tar: not antialiased, accurate DCT"),
    presto("jpeg-records", "no-antialias", SHARP, "raw/tfrecord/none",
           "raw/tfrecord: not antialiased, accurate DCT"),
    tf_data("jpeg-records", "default", SHARP,
            "TFRecord: not antialiased, fast DCT: its defaults"),
    tf_data("jpeg-records", "antialias", SMOOTH,
            "TFRecord: antialiased, fast DCT"),
    dali("jpeg-records", "antialias", SMOOTH,
         "tar: antialiased, accurate DCT"),
    dali("jpeg-records", "no-antialias", SHARP,
         "tar: not antialiased, accurate DCT"),
    ffcv("jpeg-records", SMOOTH,
         ".beton: JPEG encoded anew at quality 90, INTER_AREA of the crop"),
    grain("jpeg-records", "default", SMOOTH,
          "ArrayRecord: OpenCV, INTER_AREA, accurate DCT"),
    web("jpeg-records", SMOOTH,
        "tar: torchvision on tensors, antialiased, accurate DCT"),
    Row("jpeg-records", "torch DataLoader", "torch", "load_torch", "default",
        "", "", absent="has no record format of its own: see webdataset"),
    spdl("jpeg-records", "", "", absent="has no record format of its own"),

    presto("decoded-records", "antialias", SMOOTH, "decoded/tar/none",
           "decoded/tar: antialiased"),
    presto("decoded-records", "antialias", SMOOTH, "decoded/tfrecord/none",
           "decoded/tfrecord: antialiased"),
    presto("decoded-records", "no-antialias", SHARP, "decoded/tar/none",
           "decoded/tar: not antialiased"),
    presto("decoded-records", "no-antialias", SHARP, "decoded/tfrecord/none",
           "decoded/tfrecord: not antialiased"),
    tf_data("decoded-records", "default", SHARP, "TFRecord: not antialiased"),
    dali("decoded-records", "antialias", SMOOTH, ".npy: antialiased"),
    dali("decoded-records", "no-antialias", SHARP, ".npy: not antialiased"),
    ffcv("decoded-records", SMOOTH, ".beton, raw: INTER_AREA of the crop"),
    grain("decoded-records", "default", SMOOTH,
          "ArrayRecord: OpenCV, INTER_AREA"),
    web("decoded-records", SMOOTH,
        ".npy in tar: torchvision on tensors, antialiased"),
    torch("decoded-records", "default", SMOOTH,
          ".npy: torchvision on tensors, antialiased"),
    spdl("decoded-records", "", "", absent="does not resize arrays"),

    presto("resized-records", "antialias", "", "resized/tar/none",
           "resized/tar"),
    presto("resized-records", "antialias", "", "resized/tfrecord/none",
           "resized/tfrecord"),
    presto("resized-records", "antialias", "", "resized/files/none",
           "resized/files: .npy"),
    ffcv("resized-records", "", ".beton, raw, memory-mapped"),
    dali("resized-records", "default", "", ".npy"),
    tf_data("resized-records", "default", "", "TFRecord"),
    grain("resized-records", "default", "", "ArrayRecord"),
    spdl("resized-records", "", ".npy"),
    torch("resized-records", "default", "", ".npy"),
    web("resized-records", "", ".npy in tar"),

    presto("square-records", "default", "", "squared/npy/none",
           "squared/npy: one array, memory-mapped"),
    presto("square-records", "default", "", "squared/tar/none",
           "squared/tar"),
    presto("square-records", "default", "", "squared/tfrecord/none",
           "squared/tfrecord"),
    ffcv("square-records", "", ".beton, raw, memory-mapped"),
    torch("square-records", "default", "", ".npy: one array, memory-mapped"),
    dali("square-records", "default", "", ".npy, one a photograph"),
    tf_data("square-records", "default", "", "TFRecord"),

    presto("memory", "default", "", "unprocessed", "cache=application"),
    tf_data("memory", "default", "", "Dataset.cache()"),

    Row("text", "presto", "", "load_presto_text", "default", "",
        "raw/tar: from records to batches", "raw/tar/none"),
    Row("text", "tiktoken", "tiktoken", "load_tiktoken", "default", "",
        "encode_ordinary of strings in memory"),

    Row("audio", "presto", "", "load_presto_audio", "flac", "flac",
        "FLAC, 16 kHz: from files to batches", "unprocessed"),
    Row("audio", "presto", "", "load_presto_audio", "mp3", "mp3",
        "MP3, 48 kHz: from files to batches", "unprocessed"),
    Row("audio", "librosa", "librosa", "load_librosa", "flac", "flac",
        "FLAC, 16 kHz: load, melspectrogram, log; a thread a core"),
    Row("audio", "librosa", "librosa", "load_librosa", "mp3", "mp3",
        "MP3, 48 kHz: load, melspectrogram, log; a thread a core"),
]
