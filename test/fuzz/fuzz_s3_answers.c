/*
 * fuzz_s3_answers.c - any bytes as an answer of an object store: names below
 * the prefix and whole texts, or an error in words.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/s3/answers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

static void require(int truth)
{
	if (!truth)
		abort();
}

static int take_object(void *arg, const char *name,
    const struct medium_status *status, struct error *err)
{
	uint64_t *count = arg;

	UNUSED(err);
	require(*name && strlen(name) <= 3 * S3_KEY_MOST);
	require(name[strlen(name) - 1] != '/');
	require(status->kind == MEDIUM_FILE);
	require(memchr(status->version, '\0', sizeof(status->version)) != NULL);
	++*count;
	return 0;
}

static int take_upload(
    void *arg, const struct s3_upload_entry *entry, struct error *err)
{
	UNUSED(arg);
	UNUSED(err);
	require(*entry->key && *entry->id);
	require(entry->initiated_s >= -1);
	return 0;
}

static void read_lists(struct span body)
{
	uint64_t count = 0;
	struct s3_page page = {
		.prefix = "in/", .visit = take_object, .arg = &count
	};
	struct s3_uploads_page uploads = { .visit = take_upload };
	struct error err = ERROR_INIT;

	if (s3_page_read(body, &page, &err))
		require(err.code != ERROR_NONE && *err.text);
	require(count <= page.keys);
	err = (struct error)ERROR_INIT;
	if (s3_uploads_read(body, &uploads, &err))
		require(err.code != ERROR_NONE && *err.text);
	else
		require(!uploads.has_more || *uploads.next_key);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const struct span body = { .data = data, .len = len };
	struct s3_refusal refusal;
	struct s3_role_keys keys;
	struct error err = ERROR_INIT;
	char id[S3_UPLOAD_TEXT];
	bool again;

	read_lists(body);
	s3_refusal_read(body, &refusal);
	require(!*refusal.region || s3_region_is_valid(refusal.region));
	if (s3_upload_read(body, id, &err) == 0)
		require(*id != '\0');
	s3_complete_read(body, &again, &err);
	if (s3_role_read(body, &keys, &err) == 0)
		require(*keys.key && *keys.secret);
	return 0;
}
