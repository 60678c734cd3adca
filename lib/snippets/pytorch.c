/* pytorch.c - programs for PyTorch: over mapped arrays, or over webdataset. */
#include <string.h>

#include "lib/snippets/common_code.h"
#include "lib/snippets/members.h"
#include "lib/snippets/program.h"
#include "lib/snippets/rows.h"

#define DECODE(mode)                                                \
	"$x = torch.frombuffer(bytearray($x), dtype=torch.uint8)\n" \
	"$x = torchvision.io.decode_image($x, \"" mode              \
	"\", apply_exif_orientation=True).permute(1, 2, 0)"
#define RESIZED(x, height, width)                      \
	"torch.nn.functional.interpolate(" x           \
	".permute(2, 0, 1)[None], (" height ", " width \
	"), mode=\"$filter\", antialias=True)[0]"
#define SHORTER_HEIGHT "$shorter * $x.shape[0] // min($x.shape[:2])"
#define SHORTER_WIDTH  "$shorter * $x.shape[1] // min($x.shape[:2])"
#define TO_U8          ".round().clamp(0, 255).to(torch.uint8)"
#define WEIGHTS        "torch.tensor([[0.299], [0.587], [0.114]])"
#define CHANCE         "flip = torch.rand(()) < $chance"

/* Filters of interpolate, for images that it accepts. */
#define RESIZE(filter)                                                        \
	{ "resize", "shorter=0,antialias=yes,dtype=float32,filter=" filter,   \
		.code = "$x = " RESIZED(                                      \
		    "$x", "$height", "$width") ".permute(1, 2, 0)" },         \
	    { "resize", "shorter=0,antialias=yes,dtype=uint8,filter=" filter, \
		    .code = "$x = " RESIZED("$x.float()", "$height",          \
		        "$width") ".permute(1, 2, 0)" TO_U8 },                \
	    { "resize", "antialias=yes,dtype=float32,filter=" filter,         \
		    .code = "$x = " RESIZED("$x", SHORTER_HEIGHT,             \
		        SHORTER_WIDTH) ".permute(1, 2, 0)" },                 \
	{                                                                     \
		"resize", "antialias=yes,dtype=uint8,filter=" filter,         \
		    .code = "$x = " RESIZED("$x.float()", SHORTER_HEIGHT,     \
		        SHORTER_WIDTH) ".permute(1, 2, 0)" TO_U8              \
	}

static const struct step_words words[] = {
	{ "center", "dtype=uint16",
	    .code = "$x = ($x.float() - 32767.5) / 32767.5" },
	{ "center", .code = "$x = ($x.float() - 127.5) / 127.5" },
	SLICING_WORDS,
	{ "grayscale", "channels=3,dtype=float32",
	    .code = "$x = $x @ " WEIGHTS },
	{ "grayscale", "channels=3,dtype=uint8",
	    .code = "$x = ($x.float() @ " WEIGHTS ")" TO_U8 },
	{ "hflip", "layout=hwc", .draw = CHANCE,
	    .code = "$x = $x.flip(1) if flip else $x" },
	{ "hflip", "layout=chw", .draw = CHANCE,
	    .code = "$x = $x.flip(2) if flip else $x" },
	{ "image_decode", "mode=rgb,exif=yes", .code = DECODE("RGB"),
	    .library = "import torchvision" },
	{ "image_decode", "mode=grey,exif=yes", .code = DECODE("GRAY"),
	    .library = "import torchvision" },
	{ "jpeg_decode", "mode=rgb,exif=yes", .code = DECODE("RGB"),
	    .library = "import torchvision" },
	{ "jpeg_decode", "mode=grey,exif=yes", .code = DECODE("GRAY"),
	    .library = "import torchvision" },
	{ "log", .code = "$x = torch.log($x + $floor)" },
	{ "normalize", "scale=yes,dtype=uint8,layout=chw",
	    .code = "$x = $x.float() / 255\n"
	            "$x -= torch.tensor([$mean]).view(-1, 1, 1)\n"
	            "$x /= torch.tensor([$std]).view(-1, 1, 1)" },
	{ "normalize", "scale=yes,dtype=uint16,layout=chw",
	    .code = "$x = $x.float() / 65535\n"
	            "$x -= torch.tensor([$mean]).view(-1, 1, 1)\n"
	            "$x /= torch.tensor([$std]).view(-1, 1, 1)" },
	{ "normalize", "scale=yes,dtype=uint8",
	    .code =
	        "$x = $x.float() / 255\n"
	        "$x = ($x - torch.tensor([$mean])) / torch.tensor([$std])" },
	{ "normalize", "scale=yes,dtype=uint16",
	    .code =
	        "$x = $x.float() / 65535\n"
	        "$x = ($x - torch.tensor([$mean])) / torch.tensor([$std])" },
	{ "normalize", "scale,layout=chw",
	    .code = "$x = $x.float() - torch.tensor([$mean]).view(-1, 1, 1)\n"
	            "$x /= torch.tensor([$std]).view(-1, 1, 1)" },
	{ "normalize", "scale",
	    .code = "$x = $x.float() - torch.tensor([$mean])\n"
	            "$x /= torch.tensor([$std])" },
	{ "pad", "side=right",
	    .code = "$x = torch.nn.functional.pad($x, [0, 0] * ($x.ndim - 1) "
	            "+ [0, $length - len($x)], value=$value)" },
	{ "pad", "side=left",
	    .code = "$x = torch.nn.functional.pad($x, [0, 0] * ($x.ndim - 1) "
	            "+ [$length - len($x), 0], value=$value)" },
	{ "png_decode", "mode=rgb,dtype=uint8", .code = DECODE("RGB"),
	    .library = "import torchvision" },
	{ "png_decode", "mode=grey,dtype=uint8", .code = DECODE("GRAY"),
	    .library = "import torchvision" },
	{ "random_crop", "layout=hwc",
	    .draw = "top = int(torch.randint($x.shape[0] - $height + 1, ()))\n"
	            "left = int(torch.randint($x.shape[1] - $width + 1, ()))",
	    .code = "$x = $x[top:top + $height, left:left + $width]" },
	{ "random_crop", "layout=chw",
	    .draw = "top = int(torch.randint($x.shape[1] - $height + 1, ()))\n"
	            "left = int(torch.randint($x.shape[2] - $width + 1, ()))",
	    .code = "$x = $x[:, top:top + $height, left:left + $width]" },
	RESIZE("bilinear"),
	RESIZE("bicubic"),
	{ "to_chw", .code = "$x = $x.permute(2, 0, 1)" },
	{ "to_float", "scale=yes,dtype=uint16",
	    .code = "$x = $x.float() / 65535" },
	{ "to_float", "scale=yes", .code = "$x = $x.float() / 255" },
	{ "to_float", "scale=no", .code = "$x = $x.float()" },
	{ "to_half", .code = "$x = $x.half()" },
	{ "vflip", "layout=hwc", .draw = CHANCE,
	    .code = "$x = $x.flip(0) if flip else $x" },
	{ "vflip", "layout=chw", .draw = CHANCE,
	    .code = "$x = $x.flip(1) if flip else $x" },
	{ .step = NULL },
};

static void print_members(struct program *program)
{
	char suffix[PROGRAM_NAME];

	program_import_library(program, "import webdataset as wds");
	program_prepare_members(program, &torch_arrays);
	program_collate(program, &torch_arrays);
	program_files(program, "shards", program_suffix(program, suffix));
	program_line(program, 0,
	    "dataset = wds.WebDataset(shards, shardshuffle=False, "
	    "empty_check=False)");
	program_line(program, 0, "dataset = dataset.map(prepare)");
}

/* Defines a dataset whose samples are the rows of a shard. */
static void print_rows(struct program *program)
{
	program_import_library(program, "import numpy as np");
	program_line(program, 0, "class Shard(torch.utils.data.Dataset):");
	program_line(program, 1, "def __init__(self, stem):");
	program_load_rows(program, 2, "self.");
	program_blank(program, 1);
	program_line(program, 1, "def __len__(self):");
	program_line(program, 2, "return len(self.labels)");
	program_blank(program, 1);
	program_line(program, 1, "def __getitem__(self, i):");
	program_load_row(program, 2, "self.", &torch_arrays);
	program_steps(program, 2);
	program_line(program, 2, "return x, int(self.labels[i])");
	program_blank(program, 2);
	program_collate(program, &torch_arrays);
	program_files(program, "keys", ".keys.txt");
	program_line(program, 0,
	    "dataset = torch.utils.data.ConcatDataset("
	    "[Shard(k[:-len(\".keys.txt\")]) for k in keys])");
}

static void print(struct program *program)
{
	const bool is_tar =
	    strcmp(program->about->manifest.form.ops->name, "tar") == 0;

	program_import_library(program, "import torch");
	program_blank(program, 2);
	if (is_tar)
		print_members(program);
	else
		print_rows(program);
	program_line(program, 0,
	    "loader = torch.utils.data.DataLoader(dataset, BATCH, %s"
	    "collate_fn=collate)",
	    is_tar ? "" : "shuffle=True, ");
	program_loop(program, 0, "loader");
}

const struct framework framework_pytorch = {
	.name = "pytorch",
	.reader = "pytorch",
	.words = words,
	.print = print,
	.streams = true,
};
