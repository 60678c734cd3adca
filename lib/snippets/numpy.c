/* numpy.c - programs for NumPy: arrays mapped into memory, or files. */
#include <string.h>

#include "lib/snippets/common_code.h"
#include "lib/snippets/program.h"
#include "lib/snippets/rows.h"

#define FIT_U8(code) code ".round().clip(0, 255).astype(np.uint8)"
#define PIL_RESIZE(image, width, height)                                   \
	"np.asarray(Image.fromarray(" image ").resize((" width ", " height \
	"), Image.Resampling.$FILTER))"
#define PIL_OPEN       "Image.open(io.BytesIO($x))"
#define PIL_UPRIGHT    "ImageOps.exif_transpose(" PIL_OPEN ")"
#define SHORTER_WIDTH  "$shorter * $x.shape[1] // min($x.shape[:2])"
#define SHORTER_HEIGHT "$shorter * $x.shape[0] // min($x.shape[:2])"

const struct step_words numpy_words[] = {
	{ "center", "dtype=uint16",
	    .code = "$x = ($x.astype(np.float32) - 32767.5) / 32767.5" },
	{ "center", .code = "$x = ($x.astype(np.float32) - 127.5) / 127.5" },
	SLICING_WORDS,
	{ "grayscale", "channels=3,dtype=float32",
	    .code = "$x = $x @ np.float32([[0.299], [0.587], [0.114]])" },
	{ "grayscale", "channels=3,dtype=uint8",
	    .code = "$x = $x @ np.float32([[0.299], [0.587], [0.114]])\n"
	            "$x = " FIT_U8("$x") },
	{ "hflip", "layout=hwc", .draw = "flip = rng.random() < $chance",
	    .code = "$x = $x[:, ::-1] if flip else $x" },
	{ "hflip", "layout=chw", .draw = "flip = rng.random() < $chance",
	    .code = "$x = $x[:, :, ::-1] if flip else $x" },
	{ "image_decode", "mode=rgb,exif=yes",
	    .code = "$x = np.asarray(" PIL_UPRIGHT ".convert(\"RGB\"))",
	    .standard = "import io",
	    .library = "from PIL import Image, ImageOps" },
	{ "jpeg_decode", "mode=grey,exif=yes",
	    .code =
	        "$x = np.asarray(" PIL_UPRIGHT ".convert(\"L\"))[:, :, None]",
	    .standard = "import io",
	    .library = "from PIL import Image, ImageOps" },
	{ "jpeg_decode", "mode=rgb,exif=no",
	    .code = "$x = np.asarray(" PIL_OPEN ".convert(\"RGB\"))",
	    .standard = "import io", .library = "from PIL import Image" },
	{ "jpeg_decode", "mode=rgb,exif=yes",
	    .code = "$x = np.asarray(" PIL_UPRIGHT ".convert(\"RGB\"))",
	    .standard = "import io",
	    .library = "from PIL import Image, ImageOps" },
	{ "log", .code = "$x = np.log($x + $floor)" },
	{ "normalize", "scale=yes,dtype=uint8,layout=chw",
	    .code = "$x = $x.astype(np.float32) / 255\n"
	            "$x -= np.float32([$mean]).reshape(-1, 1, 1)\n"
	            "$x /= np.float32([$std]).reshape(-1, 1, 1)" },
	{ "normalize", "scale=yes,dtype=uint16,layout=chw",
	    .code = "$x = $x.astype(np.float32) / 65535\n"
	            "$x -= np.float32([$mean]).reshape(-1, 1, 1)\n"
	            "$x /= np.float32([$std]).reshape(-1, 1, 1)" },
	{ "normalize", "scale=yes,dtype=uint8",
	    .code = "$x = $x.astype(np.float32) / 255\n"
	            "$x = ($x - np.float32([$mean])) / np.float32([$std])" },
	{ "normalize", "scale=yes,dtype=uint16",
	    .code = "$x = $x.astype(np.float32) / 65535\n"
	            "$x = ($x - np.float32([$mean])) / np.float32([$std])" },
	{ "normalize", "scale,layout=chw",
	    .code = "$x = $x - np.float32([$mean]).reshape(-1, 1, 1)\n"
	            "$x /= np.float32([$std]).reshape(-1, 1, 1)" },
	{ "normalize", "scale",
	    .code = "$x = ($x - np.float32([$mean])) / np.float32([$std])" },
	{ "pad", "side=right",
	    .code = "$x = np.pad($x, [(0, $length - len($x))] + "
	            "[(0, 0)] * ($x.ndim - 1), constant_values=$value)" },
	{ "pad", "side=left",
	    .code = "$x = np.pad($x, [($length - len($x), 0)] + "
	            "[(0, 0)] * ($x.ndim - 1), constant_values=$value)" },
	{ "png_decode", "mode=grey,dtype=uint8",
	    .code = "$x = np.asarray(" PIL_OPEN ".convert(\"L\"))[:, :, None]",
	    .standard = "import io", .library = "from PIL import Image" },
	{ "png_decode", "mode=index",
	    .code = "$x = np.asarray(" PIL_OPEN ")[:, :, None]",
	    .standard = "import io", .library = "from PIL import Image" },
	{ "png_decode", "mode=rgb,dtype=uint8",
	    .code = "$x = np.asarray(" PIL_OPEN ".convert(\"RGB\"))",
	    .standard = "import io", .library = "from PIL import Image" },
	{ "random_crop", "layout=hwc",
	    .draw = "top = rng.integers($x.shape[0] - $height + 1)\n"
	            "left = rng.integers($x.shape[1] - $width + 1)",
	    .code = "$x = $x[top:top + $height, left:left + $width]" },
	{ "random_crop", "layout=chw",
	    .draw = "top = rng.integers($x.shape[1] - $height + 1)\n"
	            "left = rng.integers($x.shape[2] - $width + 1)",
	    .code = "$x = $x[:, top:top + $height, left:left + $width]" },
	{ "resize", "shorter=0,antialias=yes,dtype=uint8,channels=3",
	    .code = "$x = " PIL_RESIZE("$x", "$width", "$height"),
	    .library = "from PIL import Image" },
	{ "resize", "shorter=0,antialias=yes,dtype=uint8,channels=1",
	    .code = "$x = " PIL_RESIZE(
	        "$x[:, :, 0]", "$width", "$height") "[:, :, None]",
	    .library = "from PIL import Image" },
	{ "resize", "antialias=yes,dtype=uint8,channels=3",
	    .code = "$x = " PIL_RESIZE("$x", SHORTER_WIDTH, SHORTER_HEIGHT),
	    .library = "from PIL import Image" },
	{ "resize", "antialias=yes,dtype=uint8,channels=1",
	    .code = "$x = " PIL_RESIZE(
	        "$x[:, :, 0]", SHORTER_WIDTH, SHORTER_HEIGHT) "[:, :, None]",
	    .library = "from PIL import Image" },
	{ "to_chw", .code = "$x = $x.transpose(2, 0, 1)" },
	{ "to_float", "scale=yes,dtype=uint16",
	    .code = "$x = $x.astype(np.float32) / 65535" },
	{ "to_float", "scale=yes", .code = "$x = $x.astype(np.float32) / 255" },
	{ "to_float", "scale=no", .code = "$x = $x.astype(np.float32)" },
	{ "to_half", .code = "$x = $x.astype(np.float16)" },
	{ "vflip", "layout=hwc", .draw = "flip = rng.random() < $chance",
	    .code = "$x = $x[::-1] if flip else $x" },
	{ "vflip", "layout=chw", .draw = "flip = rng.random() < $chance",
	    .code = "$x = $x[:, ::-1] if flip else $x" },
	{ .step = NULL },
};

static void print(struct program *program)
{
	program_import_library(program, "import numpy as np");
	program_rng(program);
	program_blank(program, 2);
	program_read_samples(program, &numpy_arrays);
	program_collate(program, &numpy_arrays);
	program_batches(program, &numpy_arrays);
	program_loop(program, 0, "batches()");
}

const struct framework framework_numpy = {
	.name = "numpy",
	.reader = "numpy",
	.words = numpy_words,
	.print = print,
};
