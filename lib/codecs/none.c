/* none.c - no compression: bytes are stored as they are, never copied. */
#include "lib/codecs/codec.h"
#include "lib/codecs/data_kind.h"

const struct codec_ops codec_none = {
	.name = "none",
	.summary = "no compression",
	.suits = "everything; JPEG, PNG and other compressed files",
	.suffix = "",
	.tensorflow = "",
	.python_tar = true,
	.trials = { { 0, DATA_PACKED | DATA_LOOSE } },
};
