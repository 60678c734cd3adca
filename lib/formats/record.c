/* record.c - see record.h. */
#include "lib/formats/record.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/load.h"

static void put_little(unsigned char *out, unsigned bytes, uint64_t value)
{
	for (unsigned i = 0; i < bytes; i++)
		out[i] = (unsigned char)(value >> (8 * i));
}

static uint32_t get_sum(const unsigned char *in)
{
	return in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 |
	       (uint32_t)in[3] << 24;
}

void record_frame(unsigned char *record, size_t payload_len)
{
	unsigned char *payload = record + RECORD_HEAD;

	put_little(record, 8, payload_len);
	put_little(record + 8, 4, hash_crc32c_masked(record, 8));
	put_little(
	    payload + payload_len, 4, hash_crc32c_masked(payload, payload_len));
}

int record_length(
    const unsigned char head[RECORD_HEAD], uint64_t *len, struct error *err)
{
	*len = load_u64(head);
	if (get_sum(head + 8) == hash_crc32c_masked(head, 8))
		return 0;
	return error_set(err, ERROR_DATA,
	    "the checksum of its length differs: damaged, or no TFRecord");
}

int record_view(struct span bytes, size_t at, bool check_payload,
    struct span *payload, size_t *next, struct error *err)
{
	const unsigned char *record = bytes.data + at;
	size_t left;
	uint64_t len;

	if (at == bytes.len)
		return 0;
	if (at > bytes.len || bytes.len - at < RECORD_HEAD + RECORD_TAIL)
		return error_set(err, ERROR_DATA, "cut short");
	left = bytes.len - at - RECORD_HEAD - RECORD_TAIL;
	if (record_length(record, &len, err))
		return -1;
	if (len > left)
		return error_set(err, ERROR_DATA,
		    "has %llu bytes, %zu are left", (unsigned long long)len,
		    left);
	payload->data = record + RECORD_HEAD;
	payload->len = (size_t)len;
	*next = at + RECORD_HEAD + (size_t)len + RECORD_TAIL;
	if (check_payload &&
	    get_sum(payload->data + len) !=
	        hash_crc32c_masked(payload->data, payload->len))
		return error_set(
		    err, ERROR_DATA, "the checksum of its data differs");
	return 1;
}
