/*
 * fuzz_s3_profile.c - any bytes as a file of AWS's credentials or its config:
 * values that are not empty, or nothing.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/media/s3/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void read_as(struct span text, enum profile_file file, const char *name)
{
	struct profile profile = { .is_there = false };
	struct error err = ERROR_INIT;

	if (profile_parse(&profile, text, file, name, &err))
		abort();
	for (size_t i = 0; i < PROFILE_KEYS; i++)
		if (profile.values[i] &&
		    (!profile.is_there || !*profile.values[i]))
			abort();
	profile_release(&profile);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const struct span text = { .data = data, .len = len };

	read_as(text, PROFILE_OF_CREDENTIALS, "default");
	read_as(text, PROFILE_OF_CONFIG, "default");
	read_as(text, PROFILE_OF_CONFIG, "train");
	return 0;
}
