/* none.c - no compression: the bytes as they are, which no one has to copy. */
#include "lib/codecs/codec.h"

const struct codec_ops codec_none = {
	.name = "none",
	.summary = "no compression",
	.suits = "everything; JPEG, PNG and other compressed files",
	.suffix = "",
};
