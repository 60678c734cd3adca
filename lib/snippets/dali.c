/* dali.c - programs for NVIDIA DALI, on the CPU. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "lib/base/array.h"
#include "lib/formats/name.h"
#include "lib/snippets/common_code.h"
#include "lib/snippets/program.h"

#define DECODE(type)    "$x = fn.decoders.image($x, output_type=types." type ")"
#define CHANCE          "flip = fn.random.coin_flip(probability=$chance)"
#define CROP(arguments) "$x = fn.crop($x, crop=($height, $width)" arguments ")"

/* Filters that fn.resize has under other names. */
#define RESIZE(filter, type)                                                 \
	{ "resize", "shorter=0,antialias=yes,filter=" filter,                \
		.code =                                                      \
		    "$x = fn.resize($x, size=($height, $width), "            \
		    "interp_type=types.INTERP_" type ", antialias=True)" },  \
	{                                                                    \
		"resize", "antialias=yes,filter=" filter,                    \
		    .code =                                                  \
		        "$x = fn.resize($x, resize_shorter=$shorter, "       \
		        "interp_type=types.INTERP_" type ", antialias=True)" \
	}

/* Means and deviations scale with the input: bytes, or floats. */
#define NORMALIZE(layout, capitals)                                        \
	{ "normalize", "scale=yes,dtype=uint8,layout=" layout,             \
		.code = "$x = fn.crop_mirror_normalize($x, "               \
		        "dtype=types.FLOAT, output_layout=\"" capitals     \
		        "\", mean=[255 * m for m in [$mean]], "            \
		        "std=[255 * s for s in [$std]])" },                \
	    { "normalize", "scale=yes,dtype=uint16,layout=" layout,        \
		    .code = "$x = fn.crop_mirror_normalize($x, "           \
		            "dtype=types.FLOAT, output_layout=\"" capitals \
		            "\", mean=[65535 * m for m in [$mean]], "      \
		            "std=[65535 * s for s in [$std]])" },          \
	{                                                                  \
		"normalize", "scale,layout=" layout,                       \
		    .code = "$x = fn.crop_mirror_normalize($x, "           \
		            "dtype=types.FLOAT, output_layout=\"" capitals \
		            "\", mean=[$mean], std=[$std])"                \
	}

static const struct step_words words[] = {
	{ "center", "dtype=uint16", .code = "$x = ($x - 32767.5) / 32767.5" },
	{ "center", .code = "$x = ($x - 127.5) / 127.5" },
	{ "center_crop", .code = CROP("") },
	{ "grayscale", "channels=1", .code = "" },
	{ "grayscale", "channels=3,dtype=uint8",
	    .code = "$x = fn.color_space_conversion($x, "
	            "image_type=types.RGB, output_type=types.GRAY)" },
	{ "hflip", .draw = CHANCE,
	    .code = "$x = fn.flip($x, horizontal=flip)" },
	{ "identity", .code = "" },
	{ "image_decode", "mode=rgb,exif=yes", .code = DECODE("RGB") },
	{ "image_decode", "mode=grey,exif=yes", .code = DECODE("GRAY") },
	{ "jpeg_decode", "mode=rgb,exif=yes", .code = DECODE("RGB") },
	{ "jpeg_decode", "mode=grey,exif=yes", .code = DECODE("GRAY") },
	NORMALIZE("hwc", "HWC"),
	NORMALIZE("chw", "CHW"),
	{ "png_decode", "mode=rgb,dtype=uint8", .code = DECODE("RGB") },
	{ "png_decode", "mode=grey,dtype=uint8", .code = DECODE("GRAY") },
	{ "random_crop",
	    .draw = "across = fn.random.uniform(range=(0.0, 1.0))\n"
	            "down = fn.random.uniform(range=(0.0, 1.0))",
	    .code = CROP(", crop_pos_x=across, crop_pos_y=down") },
	{ "random_resized_crop", "filter=bilinear",
	    .code = "$x = fn.random_resized_crop($x, size=($height, $width), "
	            "random_area=[$scale], random_aspect_ratio=[$ratio])",
	    .alone = true },
	RESIZE("bilinear", "LINEAR"),
	RESIZE("bicubic", "CUBIC"),
	RESIZE("lanczos", "LANCZOS3"),
	{ "to_chw", .code = "$x = fn.transpose($x, perm=[2, 0, 1])" },
	{ "to_float", "scale=yes,dtype=uint16",
	    .code = "$x = fn.cast($x, dtype=types.FLOAT) / 65535.0" },
	{ "to_float", "scale=yes",
	    .code = "$x = fn.cast($x, dtype=types.FLOAT) / 255.0" },
	{ "to_float", "scale=no",
	    .code = "$x = fn.cast($x, dtype=types.FLOAT)" },
	{ "to_half", .code = "$x = fn.cast($x, dtype=types.FLOAT16)" },
	{ "vflip", .draw = CHANCE, .code = "$x = fn.flip($x, vertical=flip)" },
	{ .step = NULL },
};

static const char *const dali_types[DTYPE_COUNT] = {
	[DTYPE_U8] = "UINT8",
	[DTYPE_I8] = "INT8",
	[DTYPE_U16] = "UINT16",
	[DTYPE_I16] = "INT16",
	[DTYPE_U32] = "UINT32",
	[DTYPE_I32] = "INT32",
	[DTYPE_U64] = "UINT64",
	[DTYPE_I64] = "INT64",
	[DTYPE_F16] = "FLOAT16",
	[DTYPE_F32] = "FLOAT",
	[DTYPE_F64] = "FLOAT64",
};

enum { CODE_BYTES = 320 };

/* Returns ", layout=\"HWC\"" for images. */
static const char *layout_code(const struct type *type)
{
	return type->layout == LAYOUT_HWC   ? ", layout=\"HWC\""
	       : type->layout == LAYOUT_CHW ? ", layout=\"CHW\""
	                                    : "";
}

/* Sets x, or a dictionary: "x = {" ... "}". */
static void set_fields(
    struct program *program, void (*code)(const struct program *program,
                                 unsigned field, char text[CODE_BYTES]))
{
	const struct schema *stored = program_stored(program);
	const bool is_one = program_has_one_field(program);
	char text[CODE_BYTES];

	if (!is_one)
		program_line(program, 1, "x = {");
	for (unsigned f = 0; f < stored->count; f++) {
		code(program, f, text);
		if (is_one)
			program_line(program, 1, "x = %s", text);
		else
			program_line(program, 2, "\"%s\": %s,",
			    stored->fields[f].name, text);
	}
	if (!is_one)
		program_line(program, 1, "}");
}

/* ---- tar and files: .npy, or bytes of a file ---- */

static void file_code(
    const struct program *program, unsigned field, char text[CODE_BYTES])
{
	const struct field *f = &program_stored(program)->fields[field];
	const char *layout = layout_code(&f->type);

	if (program_is_encoded(program_stored(program), field))
		snprintf(text, CODE_BYTES, "parts[%u]", field);
	else if (*layout)
		snprintf(text, CODE_BYTES,
		    "fn.reshape(fn.decoders.numpy(parts[%u])%s)", field,
		    layout);
	else
		snprintf(
		    text, CODE_BYTES, "fn.decoders.numpy(parts[%u])", field);
}

/* Prints extensions of members: "npy", "mask.npy", "jpg;jpeg;JPG;JPEG". */
static void print_extension(
    const struct field *field, struct program *program, struct buf *list)
{
	static const char *const jpeg[] = { "jpg", "jpeg", "JPG", "JPEG" };
	const char *suffix = field->type.suffix;
	const bool is_jpeg =
	    strcasecmp(suffix, "jpg") == 0 || strcasecmp(suffix, "jpeg") == 0;
	struct buf exts = BUF_INIT;
	char ext[NAME_EXT];
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < (is_jpeg ? ARRAY_LEN(jpeg) : 1); i++)
		rc = buf_printf(&exts, program->err, "%s%s", i ? ";" : "",
		    name_ext(field, is_jpeg ? jpeg[i] : suffix, ext));
	if (rc || program_quote((const char *)exts.data, list, program->err) ||
	    buf_printf(list, program->err, ", "))
		program->failed = true;
	buf_release(&exts);
}

static void read_tar(struct program *program)
{
	const struct schema *stored = program_stored(program);
	struct buf list = BUF_INIT;

	for (unsigned f = 0; f < stored->count && !program->failed; f++)
		print_extension(&stored->fields[f], program, &list);
	if (!program->failed) {
		program_line(program, 1,
		    "*parts, label = fn.readers.webdataset(name=\"reader0\", "
		    "paths=shards,");
		program_line(program, 2,
		    "index_paths=indexes, ext=[%s\"cls\"])",
		    (const char *)list.data);
		set_fields(program, file_code);
	}
	buf_release(&list);
}

static void read_files(struct program *program)
{
	program_line(program, 1,
	    "parts = [fn.readers.file(name=f\"reader{i}\", files=f, "
	    "labels=labels)");
	program_line(program, 2, "for i, f in enumerate(files)]");
	program_line(program, 1, "label = parts[0][1]");
	program_line(program, 1, "parts = [part[0] for part in parts]");
	set_fields(program, file_code);
}

/* Lists the files of each field, and the labels, of all samples. */
static void find_files(struct program *program)
{
	const unsigned count = program_stored(program)->count;

	program_line(
	    program, 0, "files, labels = [[] for f in range(%u)], []", count);
	program_each_index_line(program, 0);
	program_line(program, 2, "if words[0] == \"sample\":");
	program_line(program, 3, "labels.append(int(words[1]))");
	program_line(program, 3, "for f in range(%u):", count);
	program_line(program, 4,
	    "files[f].append(f\"{folder}/{words[-1]}.{words[4 + 3 * f]}\")");
}

/* ---- tfrecord ---- */

static void record_code(
    const struct program *program, unsigned field, char text[CODE_BYTES])
{
	const struct field *f = &program_stored(program)->fields[field];
	const struct shape *shape = &f->type.shape;
	size_t len;

	if (program_is_encoded(program_stored(program), field)) {
		snprintf(text, CODE_BYTES, "sample[\"%s\"]", f->name);
		return;
	}
	len = (size_t)snprintf(
	    text, CODE_BYTES, "fn.reinterpret(sample[\"%s\"], ", f->name);
	if (!shape_known(shape))
		len += (size_t)snprintf(text + len, CODE_BYTES - len,
		    "sample[\"%s/shape\"]", f->name);
	else
		len +=
		    (size_t)snprintf(text + len, CODE_BYTES - len, "shape=[");
	for (unsigned i = 0; shape_known(shape) && i < shape->count; i++)
		len += (size_t)snprintf(text + len, CODE_BYTES - len,
		    "%s%" PRId64, i ? ", " : "", shape->dims[i]);
	snprintf(text + len, CODE_BYTES - len, "%s, dtype=types.%s%s)",
	    shape_known(shape) ? "]" : "", dali_types[f->type.dtype],
	    layout_code(&f->type));
}

static void read_records(struct program *program)
{
	const struct schema *stored = program_stored(program);

	program_import_library(program, "import nvidia.dali.tfrecord as tfrec");
	program_line(program, 1,
	    "sample = fn.readers.tfrecord(name=\"reader0\", path=shards,");
	program_line(program, 2, "index_path=indexes, features={");
	for (unsigned f = 0; f < stored->count; f++) {
		const struct field *field = &stored->fields[f];

		program_line(program, 3,
		    "\"%s\": tfrec.FixedLenFeature((), tfrec.string, \"\"),",
		    field->name);
		if (!program_is_encoded(stored, f) &&
		    !shape_known(&field->type.shape))
			program_line(program, 3,
			    "\"%s/shape\": tfrec.FixedLenFeature([%u], "
			    "tfrec.int64, 0),",
			    field->name, field->type.shape.count);
	}
	program_line(program, 3,
	    "\"label\": tfrec.FixedLenFeature([1], tfrec.int64, -1)})");
	program_line(program, 1, "label = sample[\"label\"]");
	set_fields(program, record_code);
}

/* ---- all stores ---- */

static void find_shards(struct program *program)
{
	char suffix[PROGRAM_NAME];

	program_files(program, "shards", program_suffix(program, suffix));
	program_files(program, "indexes", ".idx");
}

/* Prints an epoch's loop; its last batch continues in the next epoch. */
static void print_loop(struct program *program)
{
	const bool is_tar =
	    strcmp(program->about->manifest.form.ops->name, "tar") == 0;

	program_line(program, 0, "pipeline = read()");
	program_line(program, 0, "pipeline.build()");
	program_line(program, 0,
	    "size = pipeline.reader_meta(\"reader0\")[\"epoch_size\"]");
	program_line(program, 0, "samples = 0");
	program_line(program, 0, "while samples < size:");
	program_line(program, 1, "*x, label = pipeline.run()");
	program_line(program, 1, "label = [int(%s) for i in range(len(label))]",
	    is_tar ? "bytes(label.at(i)) or b\"-1\"" : "label.at(i).item()");
	program_line(program, 1,
	    "samples += min(len(label), size - samples)  # train here");
	program_line(program, 0,
	    "print(samples, \"samples; the last batch:\", len(label), \"of\", "
	    "x[0].at(0).shape, x[0].at(0).dtype)");
}

static void print_return(struct program *program)
{
	const struct schema *stored = program_stored(program);
	char x[PROGRAM_NAME];
	struct buf list = BUF_INIT;

	for (unsigned f = 0; f < stored->count && !program->failed; f++)
		if (buf_printf(&list, program->err, "%s, ",
		        program_field(program, f, x)))
			program->failed = true;
	if (!program->failed)
		program_line(
		    program, 1, "return %slabel", (const char *)list.data);
	buf_release(&list);
}

static void print(struct program *program)
{
	const char *store = program->about->manifest.form.ops->name;

	program_import_library(program, "import nvidia.dali.fn as fn");
	program_import_library(program, "import nvidia.dali.types as types");
	program_import_library(program, "from nvidia.dali import pipeline_def");
	if (strcmp(store, "files") == 0)
		find_files(program);
	else
		find_shards(program);
	program_blank(program, 2);
	program_line(program, 0,
	    "@pipeline_def(batch_size=BATCH, num_threads=2, device_id=None, "
	    "seed=%" PRIu64 ")",
	    program->about->seed & INT32_MAX);
	program_line(program, 0, "def read():");
	if (strcmp(store, "files") == 0)
		read_files(program);
	else if (strcmp(store, "tar") == 0)
		read_tar(program);
	else
		read_records(program);
	program_steps(program, 1);
	print_return(program);
	program_blank(program, 2);
	print_loop(program);
}

const struct framework framework_dali = {
	.name = "dali",
	.reader = "dali",
	.words = words,
	.print = print,
};
