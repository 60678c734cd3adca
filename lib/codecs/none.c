/*
 * none.c - no compression: the bytes are stored as they are, and never copied.
 */
#include "lib/codecs/codec.h"

const struct codec_ops codec_none = {
	.name = "none",
	.summary = "no compression",
	.suits = "everything; JPEG, PNG and other compressed files",
	.suffix = "",
};
