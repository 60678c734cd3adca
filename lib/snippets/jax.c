/* jax.c - programs for JAX: arrays mapped to memory, whole batches. */
#include <string.h>

#include "lib/snippets/common_code.h"
#include "lib/snippets/program.h"
#include "lib/snippets/rows.h"

#define DRAWN          "key, draw = jax.random.split(key)\n"
#define CHANCE         DRAWN "flip = jax.random.uniform(draw) < $chance"
#define SHORTER_HEIGHT "$shorter * $x.shape[0] // min($x.shape[:2])"
#define SHORTER_WIDTH  "$shorter * $x.shape[1] // min($x.shape[:2])"
#define TO_U8          ".round().clip(0, 255).astype(jnp.uint8)"
#define WEIGHTS        "jnp.array([[0.299], [0.587], [0.114]], jnp.float32)"

static const struct array_library arrays = {
	.open = "jnp.asarray(",
	.close = ")",
	.stack = "jnp.stack",
	.label = "np.array",
	.random = "key",
};

#define RESIZED(height, width)                                         \
	"jax.image.resize($x.astype(jnp.float32), (" height ", " width \
	", $x.shape[2]), \"$filter\", antialias=True)"

/* With antialiasing, which is presto's default. */
#define RESIZE(filter)                                                        \
	{ "resize", "shorter=0,antialias=yes,dtype=float32,filter=" filter,   \
		.code = "$x = " RESIZED("$height", "$width") },               \
	    { "resize", "shorter=0,antialias=yes,dtype=uint8,filter=" filter, \
		    .code = "$x = " RESIZED("$height", "$width") TO_U8 },     \
	    { "resize", "antialias=yes,dtype=float32,filter=" filter,         \
		    .code = "$x = " RESIZED(SHORTER_HEIGHT, SHORTER_WIDTH) }, \
	{                                                                     \
		"resize", "antialias=yes,dtype=uint8,filter=" filter,         \
		    .code =                                                   \
		        "$x = " RESIZED(SHORTER_HEIGHT, SHORTER_WIDTH) TO_U8  \
	}
static const struct step_words words[] = {
	{ "center", "dtype=uint16",
	    .code = "$x = ($x.astype(jnp.float32) - 32767.5) / 32767.5" },
	{ "center", .code = "$x = ($x.astype(jnp.float32) - 127.5) / 127.5" },
	SLICING_WORDS,
	{ "grayscale", "channels=3,dtype=float32",
	    .code = "$x = $x @ " WEIGHTS },
	{ "grayscale", "channels=3,dtype=uint8",
	    .code = "$x = ($x.astype(jnp.float32) @ " WEIGHTS ")" TO_U8 },
	{ "hflip", "layout=hwc", .draw = CHANCE,
	    .code = "$x = jnp.where(flip, $x[:, ::-1], $x)" },
	{ "hflip", "layout=chw", .draw = CHANCE,
	    .code = "$x = jnp.where(flip, $x[:, :, ::-1], $x)" },
	{ "log", .code = "$x = jnp.log($x + $floor)" },
	{ "normalize", "scale=yes,dtype=uint8,layout=chw",
	    .code = "$x = $x.astype(jnp.float32) / 255\n"
	            "$x -= jnp.array([$mean], jnp.float32)[:, None, None]\n"
	            "$x /= jnp.array([$std], jnp.float32)[:, None, None]" },
	{ "normalize", "scale=yes,dtype=uint16,layout=chw",
	    .code = "$x = $x.astype(jnp.float32) / 65535\n"
	            "$x -= jnp.array([$mean], jnp.float32)[:, None, None]\n"
	            "$x /= jnp.array([$std], jnp.float32)[:, None, None]" },
	{ "normalize", "scale=yes,dtype=uint8",
	    .code = "$x = $x.astype(jnp.float32) / 255\n"
	            "$x -= jnp.array([$mean], jnp.float32)\n"
	            "$x /= jnp.array([$std], jnp.float32)" },
	{ "normalize", "scale=yes,dtype=uint16",
	    .code = "$x = $x.astype(jnp.float32) / 65535\n"
	            "$x -= jnp.array([$mean], jnp.float32)\n"
	            "$x /= jnp.array([$std], jnp.float32)" },
	{ "normalize", "scale,layout=chw",
	    .code = "$x = $x.astype(jnp.float32)\n"
	            "$x -= jnp.array([$mean], jnp.float32)[:, None, None]\n"
	            "$x /= jnp.array([$std], jnp.float32)[:, None, None]" },
	{ "normalize", "scale",
	    .code = "$x = $x.astype(jnp.float32)\n"
	            "$x -= jnp.array([$mean], jnp.float32)\n"
	            "$x /= jnp.array([$std], jnp.float32)" },
	{ "pad", "side=right",
	    .code = "$x = jnp.pad($x, [(0, $length - len($x))] + "
	            "[(0, 0)] * ($x.ndim - 1), constant_values=$value)" },
	{ "pad", "side=left",
	    .code = "$x = jnp.pad($x, [($length - len($x), 0)] + "
	            "[(0, 0)] * ($x.ndim - 1), constant_values=$value)" },
	{ "random_crop", "layout=hwc",
	    .draw = "key, *draw = jax.random.split(key, 3)\n"
	            "top = jax.random.randint(draw[0], (), 0, "
	            "$x.shape[0] - $height + 1)\n"
	            "left = jax.random.randint(draw[1], (), 0, "
	            "$x.shape[1] - $width + 1)",
	    .code = "$x = jax.lax.dynamic_slice($x, (top, left, 0), "
	            "($height, $width, $x.shape[2]))" },
	{ "random_crop", "layout=chw",
	    .draw = "key, *draw = jax.random.split(key, 3)\n"
	            "top = jax.random.randint(draw[0], (), 0, "
	            "$x.shape[1] - $height + 1)\n"
	            "left = jax.random.randint(draw[1], (), 0, "
	            "$x.shape[2] - $width + 1)",
	    .code = "$x = jax.lax.dynamic_slice($x, (0, top, left), "
	            "($x.shape[0], $height, $width))" },
	RESIZE("bilinear"),
	RESIZE("bicubic"),
	{ "to_chw", .code = "$x = $x.transpose(2, 0, 1)" },
	{ "to_float", "scale=yes,dtype=uint16",
	    .code = "$x = $x.astype(jnp.float32) / 65535" },
	{ "to_float", "scale=yes",
	    .code = "$x = $x.astype(jnp.float32) / 255" },
	{ "to_float", "scale=no", .code = "$x = $x.astype(jnp.float32)" },
	{ "to_half", .code = "$x = $x.astype(jnp.float16)" },
	{ "vflip", "layout=hwc", .draw = CHANCE,
	    .code = "$x = jnp.where(flip, $x[::-1], $x)" },
	{ "vflip", "layout=chw", .draw = CHANCE,
	    .code = "$x = jnp.where(flip, $x[:, ::-1], $x)" },
	{ .step = NULL },
};

/* JAX halves 64-bit numbers unless it is told otherwise. */
static void keep_64_bits(struct program *program)
{
	const struct schema *stored = program_stored(program);

	for (unsigned f = 0; f < stored->count; f++)
		if (dtype_bytes(stored->fields[f].type.dtype) == 8) {
			program_line(program, 0,
			    "jax.config.update(\"jax_enable_x64\", True)");
			return;
		}
}

/* All rows of a batch have one shape: the steps are compiled for it. */
static void print_rows(struct program *program)
{
	const bool has_code = program_has_code(program);

	if (has_code)
		program_line(program, 0, "@jax.jit");
	if (has_code)
		program_line(program, 0, "@jax.vmap");
	program_line(program, 0, "def prepare(key, x):");
	program_steps(program, 1);
	program_line(program, 1, "return x");
	program_blank(program, 2);
	program_line(program, 0, "def batches(key):");
	program_each_shard(program, 1);
	program_load_rows(program, 2, "");
	program_line(program, 2, "for at in range(0, len(labels), BATCH):");
	program_line(program, 3, "label = labels[at:at + BATCH]");
	program_line(program, 3, "key, draw = jax.random.split(key)");
	program_load_batch(program, 3, &arrays);
	program_line(program, 3,
	    "yield prepare(jax.random.split(draw, len(label)), x), label");
	program_blank(program, 2);
	program_line(program, 0, "key = jax.random.key(%llu)",
	    (unsigned long long)(program->about->seed & INT64_MAX));
	program_loop(program, 0, "batches(key)");
}

/* Each sample has files of its own: shapes may differ. */
static void print_files(struct program *program)
{
	program_line(program, 0, "key = jax.random.key(%llu)",
	    (unsigned long long)(program->about->seed & INT64_MAX));
	program_blank(program, 2);
	program_read_samples(program, &arrays);
	program_collate(program, &arrays);
	program_batches(program, &arrays);
	program_loop(program, 0, "batches(key)");
}

static void print(struct program *program)
{
	program_import_library(program, "import jax");
	program_import_library(program, "import jax.numpy as jnp");
	program_import_library(program, "import numpy as np");
	keep_64_bits(program);
	if (strcmp(program->about->manifest.form.ops->name, "npy") == 0) {
		program_blank(program, 2);
		print_rows(program);
	} else {
		print_files(program);
	}
}

const struct framework framework_jax = {
	.name = "jax",
	.reader = "numpy",
	.words = words,
	.print = print,
};
