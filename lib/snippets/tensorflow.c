/* tensorflow.c - programs for TensorFlow: records of tf.train.Example. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/snippets/common_code.h"
#include "lib/snippets/program.h"

#define DECODE(word, channels) \
	"$x = tf.io.decode_" word "($x, channels=" channels ")"
#define NO_EXIF "does not turn images as their Exif tag says"
#define SIDES   "sides = tf.shape($x)[:2]\n"
#define HALF(axis, side) \
	"tf.cast(tf.round((tf.shape($x)[" axis "] - " side ") / 2), tf.int32)"
#define ANYWHERE(axis, side)                                      \
	"tf.random.uniform([], 0, tf.shape($x)[" axis "] - " side \
	" + 1, tf.int32)"
#define CROP_HWC \
	"$x = tf.image.crop_to_bounding_box($x, top, left, $height, $width)"
#define CROP_CHW "$x = tf.slice($x, [0, top, left], [-1, $height, $width])"
#define RESIZED(size, antialias) \
	"tf.image.resize($x, " size ", \"$filter\", antialias=" antialias ")"
#define SIZE     "[$height, $width]"
#define SHORTER  "tf.shape($x)[:2] * $shorter // tf.reduce_min(tf.shape($x)[:2])"
#define TO_U8(x) "tf.cast(tf.clip_by_value(tf.round(" x "), 0, 255), tf.uint8)"
#define CHANCE   "flip = tf.random.uniform([]) < $chance"
#define F32(x)   "tf.cast(" x ", tf.float32)"

/* Filters of tf.image.resize. */
#define RESIZE(filter, antialias, yes_no)                                      \
	{ "resize",                                                            \
		"shorter=0,dtype=float32,filter=" filter ",antialias=" yes_no, \
		.code = "$x = " RESIZED(SIZE, antialias) },                    \
	    { "resize",                                                        \
		    "shorter=0,dtype=uint8,filter=" filter                     \
		    ",antialias=" yes_no,                                      \
		    .code = "$x = " TO_U8(RESIZED(SIZE, antialias)) },         \
	    { "resize", "dtype=float32,filter=" filter ",antialias=" yes_no,   \
		    .code = "$x = " RESIZED(SHORTER, antialias) },             \
	{                                                                      \
		"resize", "dtype=uint8,filter=" filter ",antialias=" yes_no,   \
		    .code = "$x = " TO_U8(RESIZED(SHORTER, antialias))         \
	}

static const struct step_words words[] = {
	{ "center", "dtype=uint16",
	    .code = "$x = (" F32("$x") " - 32767.5) / 32767.5" },
	{ "center", .code = "$x = (" F32("$x") " - 127.5) / 127.5" },
	{ "center_crop", "layout=hwc",
	    .code = "top = " HALF(
	        "0", "$height") "\n"
	                        "left = " HALF("1", "$width") "\n" CROP_HWC },
	{ "center_crop", "layout=chw",
	    .code = "top = " HALF(
	        "1", "$height") "\n"
	                        "left = " HALF("2", "$width") "\n" CROP_CHW },
	{ "grayscale", "channels=1", .code = "" },
	{ "grayscale", "channels=3",
	    .code = "$x = tf.image.rgb_to_grayscale($x)" },
	{ "hflip", "layout=hwc", .draw = CHANCE,
	    .code = "$x = tf.where(flip, tf.reverse($x, [1]), $x)" },
	{ "hflip", "layout=chw", .draw = CHANCE,
	    .code = "$x = tf.where(flip, tf.reverse($x, [2]), $x)" },
	{ "identity", .code = "" },
	{ "image_decode", "mode=rgb,exif",
	    .code = "$x = tf.io.decode_image($x, 3, expand_animations=False)",
	    .note = NO_EXIF },
	{ "image_decode", "mode=grey,exif",
	    .code = "$x = tf.io.decode_image($x, 1, expand_animations=False)",
	    .note = NO_EXIF },
	{ "jpeg_decode", "mode=rgb,exif=no", .code = DECODE("jpeg", "3") },
	{ "jpeg_decode", "mode=grey,exif=no", .code = DECODE("jpeg", "1") },
	{ "jpeg_decode", "mode=rgb", .code = DECODE("jpeg", "3"),
	    .note = NO_EXIF },
	{ "jpeg_decode", "mode=grey", .code = DECODE("jpeg", "1"),
	    .note = NO_EXIF },
	{ "log", .code = "$x = tf.math.log($x + $floor)" },
	{ "normalize", "scale=yes,dtype=uint8,layout=chw",
	    .code = "$x = " F32(
	        "$x") " / 255\n"
	              "$x -= tf.reshape(tf.constant([$mean], tf.float32), "
	              "[-1, 1, 1])\n"
	              "$x /= tf.reshape(tf.constant([$std], tf.float32), "
	              "[-1, 1, 1])" },
	{ "normalize", "scale=yes,dtype=uint16,layout=chw",
	    .code = "$x = " F32(
	        "$x") " / 65535\n"
	              "$x -= tf.reshape(tf.constant([$mean], tf.float32), "
	              "[-1, 1, 1])\n"
	              "$x /= tf.reshape(tf.constant([$std], tf.float32), "
	              "[-1, 1, 1])" },
	{ "normalize", "scale=yes,dtype=uint8",
	    .code = "$x = " F32("$x") " / 255\n"
	                              "$x -= tf.constant([$mean], tf.float32)\n"
	                              "$x /= tf.constant([$std], tf.float32)" },
	{ "normalize", "scale=yes,dtype=uint16",
	    .code = "$x = " F32("$x") " / 65535\n"
	                              "$x -= tf.constant([$mean], tf.float32)\n"
	                              "$x /= tf.constant([$std], tf.float32)" },
	{ "normalize", "scale,layout=chw",
	    .code = "$x = " F32(
	        "$x") "\n"
	              "$x -= tf.reshape(tf.constant([$mean], tf.float32), "
	              "[-1, 1, 1])\n"
	              "$x /= tf.reshape(tf.constant([$std], tf.float32), "
	              "[-1, 1, 1])" },
	{ "normalize", "scale",
	    .code = "$x = " F32("$x") "\n"
	                              "$x -= tf.constant([$mean], tf.float32)\n"
	                              "$x /= tf.constant([$std], tf.float32)" },
	{ "pad", "side=right",
	    .code = "$x = tf.pad($x, [[0, $length - tf.shape($x)[0]]] + "
	            "[[0, 0]] * ($x.shape.rank - 1), constant_values=$value)" },
	{ "pad", "side=left",
	    .code = "$x = tf.pad($x, [[$length - tf.shape($x)[0], 0]] + "
	            "[[0, 0]] * ($x.shape.rank - 1), constant_values=$value)" },
	{ "png_decode", "mode=rgb,dtype=uint8", .code = DECODE("png", "3") },
	{ "png_decode", "mode=grey,dtype=uint8", .code = DECODE("png", "1") },
	{ "random_crop", "layout=hwc",
	    .draw = "top = " ANYWHERE("0", "$height") "\n"
	                                              "left = " ANYWHERE(
	                                                  "1", "$width"),
	    .code = CROP_HWC },
	{ "random_crop", "layout=chw",
	    .draw = "top = " ANYWHERE("1", "$height") "\n"
	                                              "left = " ANYWHERE(
	                                                  "2", "$width"),
	    .code = CROP_CHW },
	RESIZE("bilinear", "True", "yes"),
	RESIZE("bilinear", "False", "no"),
	RESIZE("bicubic", "True", "yes"),
	{ "to_chw", .code = "$x = tf.transpose($x, [2, 0, 1])" },
	{ "to_float", "scale=yes,dtype=uint16",
	    .code = "$x = " F32("$x") " / 65535" },
	{ "to_float", "scale=yes", .code = "$x = " F32("$x") " / 255" },
	{ "to_float", "scale=no", .code = "$x = " F32("$x") },
	{ "to_half", .code = "$x = tf.cast($x, tf.float16)" },
	{ "truncate", .code = "$x = $x[:$length]" },
	{ "vflip", "layout=hwc", .draw = CHANCE,
	    .code = "$x = tf.where(flip, tf.reverse($x, [0]), $x)" },
	{ "vflip", "layout=chw", .draw = CHANCE,
	    .code = "$x = tf.where(flip, tf.reverse($x, [1]), $x)" },
	{ .step = NULL },
};

enum { SHAPE_CODE = 256, FIELD_CODE = 640, ELEMENTS_CODE = 256 };

/* Writes "[32, 32, 3]", with None for unknown dims. */
static const char *shape_code(const struct shape *shape, char code[SHAPE_CODE])
{
	size_t len = 1;

	snprintf(code, SHAPE_CODE, "[");
	for (unsigned i = 0; i < shape->count; i++) {
		const char *comma = i ? ", " : "";
		char *at = code + len;

		if (shape->dims[i] < 0)
			len += (size_t)snprintf(
			    at, SHAPE_CODE - len, "%sNone", comma);
		else
			len += (size_t)snprintf(at, SHAPE_CODE - len,
			    "%s%" PRId64, comma, shape->dims[i]);
	}
	snprintf(code + len, SHAPE_CODE - len, "]");
	return code;
}

/* Writes code for elements; decode_raw lacks uint32 and uint64. */
static void elements_code(const struct field *field, char code[FIELD_CODE])
{
	const enum dtype dtype = field->type.dtype;
	const char *name = dtype_name(dtype);

	if (dtype == DTYPE_U32 || dtype == DTYPE_U64)
		snprintf(code, FIELD_CODE,
		    "tf.bitcast(tf.io.decode_raw(sample[\"%s\"], tf.%s), "
		    "tf.%s)",
		    field->name, name + 1, name);
	else
		snprintf(code, FIELD_CODE,
		    "tf.io.decode_raw(sample[\"%s\"], tf.%s)", field->name,
		    name);
}

/* Writes code for a field. Shapes that vary are in the record. */
static void field_code(const struct field *field, char code[FIELD_CODE])
{
	const struct shape *known = &field->type.shape;
	char elements[FIELD_CODE], shape[SHAPE_CODE];

	elements_code(field, elements);
	shape_code(known, shape);
	if (field->type.layout == LAYOUT_ENCODED)
		snprintf(code, FIELD_CODE, "sample[\"%s\"]", field->name);
	else if (shape_known(known))
		snprintf(code, FIELD_CODE, "tf.reshape(%.*s, %s)",
		    ELEMENTS_CODE, elements, shape);
	else
		snprintf(code, FIELD_CODE,
		    "tf.ensure_shape(tf.reshape(%.*s, sample[\"%s/shape\"]), "
		    "%s)",
		    ELEMENTS_CODE, elements, field->name, shape);
}

/* Lists the features of a record that the program needs (tfrecord.c). */
static void print_features(struct program *program)
{
	const struct schema *stored = program_stored(program);

	program_line(program, 0, "FEATURES = {");
	for (unsigned f = 0; f < stored->count; f++) {
		const struct field *field = &stored->fields[f];

		program_line(program, 1,
		    "\"%s\": tf.io.FixedLenFeature([], tf.string),",
		    field->name);
		if (!program_is_encoded(stored, f) &&
		    !shape_known(&field->type.shape))
			program_line(program, 1,
			    "\"%s/shape\": tf.io.FixedLenFeature([%u], "
			    "tf.int64),",
			    field->name, field->type.shape.count);
	}
	program_line(
	    program, 1, "\"label\": tf.io.FixedLenFeature([], tf.int64, -1),");
	program_line(program, 0, "}");
	program_blank(program, 2);
}

static void print_prepare(struct program *program)
{
	const struct schema *stored = program_stored(program);
	const bool is_one = program_has_one_field(program);
	char code[FIELD_CODE];

	program_line(program, 0, "def prepare(record):");
	program_line(program, 1,
	    "sample = tf.io.parse_single_example(record, FEATURES)");
	if (!is_one)
		program_line(program, 1, "x = {");
	for (unsigned f = 0; f < stored->count; f++) {
		field_code(&stored->fields[f], code);
		if (is_one)
			program_line(program, 1, "x = %s", code);
		else
			program_line(program, 2, "\"%s\": %s,",
			    stored->fields[f].name, code);
	}
	if (!is_one)
		program_line(program, 1, "}");
	program_steps(program, 1);
	program_line(program, 1, "return x, sample[\"label\"]");
	program_blank(program, 2);
}

static bool stacks_all(const struct program *program)
{
	const struct schema *given = program_given(program);

	for (unsigned f = 0; f < given->count; f++)
		if (!program_is_encoded(given, f) && !program_stacks(given, f))
			return false;
	return true;
}

static void print(struct program *program)
{
	const struct codec_ops *codec = program->about->manifest.form.codec.ops;
	char suffix[PROGRAM_NAME];

	program_import_library(program, "import tensorflow as tf");
	print_features(program);
	print_prepare(program);
	program_files(program, "shards", program_suffix(program, suffix));
	program_line(program, 0,
	    "dataset = tf.data.TFRecordDataset(shards, \"%s\")",
	    codec->tensorflow);
	program_line(program, 0,
	    "loader = dataset.map(prepare, tf.data.AUTOTUNE).%s(BATCH)",
	    stacks_all(program) ? "batch" : "ragged_batch");
	program_loop(program, 0, "loader");
}

const struct framework framework_tensorflow = {
	.name = "tensorflow",
	.reader = "tensorflow",
	.words = words,
	.print = print,
};
