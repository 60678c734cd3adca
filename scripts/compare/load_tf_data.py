"""load_tf_data.py - tf.data over files and TFRecord."""
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf  # noqa: E402 (its log level must be set before)

import loader  # noqa: E402

DCT = {"accurate": "INTEGER_ACCURATE"}  # by variant; else TensorFlow's choice
SHARDS = 2


def crop(image):
    """The middle of an image, as the others cut it."""
    shape = tf.shape(image)
    corner = (shape[:2] - loader.CROP) // 2
    image = tf.slice(image, [corner[0], corner[1], 0],
                     [loader.CROP, loader.CROP, 3])
    return tf.ensure_shape(image, [loader.CROP, loader.CROP, 3])


def scale(images):
    """Bytes 0 to 255 to floats -1 to 1."""
    return tf.cast(images, tf.float32) * (1 / 127.5) - 1.0


def shrink(image, antialias):
    """The shorter side to 256."""
    shape = tf.shape(image)[:2]
    size = loader.SHORTER * shape // tf.reduce_min(shape)
    return tf.image.resize(image, size, antialias=antialias)


def write_records(task, shard):
    """A function that writes every SHARDS-th photograph as an Example."""
    def value(path):
        if task.form == "jpeg-records":
            return loader.read(path)
        if task.form == "square-records":
            return loader.pixels(path, task.form).tobytes()
        return tf.io.serialize_tensor(loader.pixels(path, task.form)).numpy()

    def write(unfinished):
        with tf.io.TFRecordWriter(unfinished) as writer:
            for path in task.files[shard::SHARDS]:
                data = tf.train.BytesList(value=[value(path)])
                features = tf.train.Features(
                    feature={"image": tf.train.Feature(bytes_list=data)})
                example = tf.train.Example(features=features)
                writer.write(example.SerializeToString())
    return write


def records(task, passes):
    """The bytes of all records, shards read in parallel."""
    paths = [loader.once(task.work / f"{task.form}-{shard}.tfrecord",
                         write_records(task, shard))
             for shard in range(SHARDS)]
    return tf.data.TFRecordDataset(
        paths * passes, num_parallel_reads=min(task.cores, SHARDS))


def field(record):
    """The one feature of an Example."""
    feature = {"image": tf.io.FixedLenFeature([], tf.string)}
    return tf.io.parse_single_example(record, feature)["image"]


def steps(task):
    """A function that makes a cropped image of a path or a record."""
    antialias = task.variant == "antialias"
    dct = DCT.get(task.variant, "")

    def jpeg(data):
        image = tf.io.decode_jpeg(data, channels=3, dct_method=dct)
        return scale(crop(shrink(image, antialias)))

    def tensor(record):
        if task.form == "square-records":
            image = tf.io.decode_raw(field(record), tf.uint8)
            return scale(crop(tf.reshape(
                image, [loader.SHORTER, loader.SHORTER, 3])))
        image = tf.io.parse_tensor(field(record), tf.uint8)
        image = tf.ensure_shape(image, [None, None, 3])
        if task.form == "decoded-records":
            image = shrink(image, antialias)
        return scale(crop(image))

    if task.form in ("files", "memory"):
        return lambda path: jpeg(tf.io.read_file(path))
    if task.form == "jpeg-records":
        return lambda record: jpeg(field(record))
    return tensor


def make(task):
    """Any order, two batches ahead; or all as TensorFlow tunes it."""
    tuned = task.settings.get("threads") == "tuned"
    calls = tf.data.AUTOTUNE if tuned else loader.count(task, "threads")
    options = tf.data.Options()
    options.autotune.enabled = tuned
    options.deterministic = False
    if not tuned:
        options.threading.private_threadpool_size = calls
        options.threading.max_intra_op_parallelism = 1
    step = steps(task)
    cached = []

    def samples(passes):
        if task.form == "memory":  # the cache is filled once
            if not cached:
                files = tf.data.Dataset.from_tensor_slices(task.files)
                cached.append(files.map(step, calls).cache())
            return cached[0].repeat(passes)
        source = (tf.data.Dataset.from_tensor_slices(task.files)
                  .repeat(passes) if task.form == "files"
                  else records(task, passes))
        return source.map(step, calls)

    def epoch(passes):
        ahead = tf.data.AUTOTUNE if tuned else 2
        return (samples(passes).batch(loader.BATCH).prefetch(ahead)
                .with_options(options))

    return loader.Loader(epoch, array=lambda images: images.numpy())


if __name__ == "__main__":
    loader.main("tf.data", tf.__version__, make)
