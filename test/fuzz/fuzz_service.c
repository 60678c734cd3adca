/*
 * fuzz_service.c - any bytes as a message of a loader or of a worker: an error,
 * or what put again gives the same bytes.  The first byte chooses the kind; a
 * batch has the schema that the second byte chooses.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/sample/batch.h"
#include "lib/sample/batch_home.h"
#include "lib/service/address.h"
#include "lib/service/batch_wire.h"
#include "lib/service/message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

enum { CAPACITY = 4 };

static void require(int truth)
{
	if (!truth)
		abort();
}

/* ---- messages ---- */

/* `parsed`: a parser took the body.  What is put must be the body again. */
static void same(int put, struct buf *out, struct span body)
{
	require(put == 0);
	require(span_equal(buf_span(out), body));
	out->len = 0;
}

static void try_facts(struct span body, struct buf *out)
{
	struct service_facts facts;
	struct error err = ERROR_INIT;

	if (service_facts_parse(body, &facts, &err)) {
		require(err.code != ERROR_NONE);
		return;
	}
	require(facts.schema.count > 0 && facts.schema.count <= FIELDS_MAX);
	/* A name of a class may have a NUL, which ends it. */
	require(
	    service_facts_put(&facts, out, &err) == 0 && out->len <= body.len);
	service_facts_release(&facts);
}

static void try_places(struct span body, struct buf *out)
{
	struct error err = ERROR_INIT;
	struct span rest = body;
	uint32_t place;
	int got;

	while ((got = places_take(&rest, &place, &err)) > 0)
		require(places_put(&place, 1, out, &err) == 0);
	if (got == 0)
		same(0, out, body);
	out->len = 0;
}

static void try_loader(struct span body, struct buf *out)
{
	struct hello hello;
	struct service_order order;
	struct ordered_span span;
	uint32_t credit;
	struct error err = ERROR_INIT;

	if (hello_parse(body, &hello, &err) == 0)
		same(hello_put(&hello, out, &err), out, body);
	if (order_parse(body, &order, &err) == 0)
		same(order_put(&order, out, &err), out, body);
	if (span_parse(body, &span, &err) == 0)
		same(span_put(&span, out, &err), out, body);
	if (credit_parse(body, &credit, &err) == 0)
		same(credit_put(credit, out, &err), out, body);
	try_places(body, out);
}

static void try_worker(struct span body, struct buf *out)
{
	struct opened opened;
	struct ended ended;
	struct failed failed;
	struct error err = ERROR_INIT;

	if (opened_parse(body, &opened, &err) == 0)
		same(opened_put(&opened, out, &err), out, body);
	if (ended_parse(body, &ended, &err) == 0)
		same(ended_put(&ended, out, &err), out, body);
	if (failed_parse(body, &failed, &err) == 0)
		require(strlen(failed.text) < sizeof(failed.text));
}

static void try_frame(struct span text)
{
	unsigned char again[FRAME_BYTES];
	struct frame frame;
	struct error err = ERROR_INIT;

	if (text.len < FRAME_BYTES || frame_parse(text.data, &frame, &err))
		return;
	frame_put(&frame, again);
	require(memcmp(again, text.data, FRAME_BYTES) == 0);
}

static void try_address(struct span text)
{
	struct service_address address;
	struct error err = ERROR_INIT;
	char url[256];

	if (text.len >= sizeof(url))
		return;
	memcpy(url, text.data, text.len);
	url[text.len] = '\0';
	if (!address_is(url))
		return;
	if (address_parse(url, &address, &err) == 0)
		require(address.count > 0 && address.count <= ADDRESS_PLACES);
	else
		require(err.code == ERROR_USAGE);
}

/* ---- batches ---- */

static const struct schema schemas[] = {
	{ .count = 1,
	    .fields = { { "data",
	        { .dtype = DTYPE_U16, .shape = { 2, { 2, 3 } } } } } },
	{ .count = 2,
	    .fields = { { "data",
	                    { .dtype = DTYPE_F32, .shape = { 2, { -1, 2 } } } },
	        { "note", { .dtype = DTYPE_U8, .shape = { 1, { -1 } } } } } },
	{ .count = 2,
	    .fields = { { "one", { .dtype = DTYPE_I64, .shape = { 0 } } },
	        { "none",
	            { .dtype = DTYPE_F16, .shape = { 2, { 0, -1 } } } } } },
};

static int read_body(void *arg, void *to, size_t bytes, struct error *err)
{
	struct span *rest = arg;

	(void)err;
	require(bytes <= rest->len);
	memcpy(to, rest->data, bytes);
	rest->data += bytes;
	rest->len -= bytes;
	return 0;
}

static void check_again(const struct batch_head *head,
    const struct schema *schema, const struct batch *batch, struct span body)
{
	struct batch_packer packer = BATCH_PACKER_INIT;
	struct error err = ERROR_INIT;
	size_t at = 0;

	require(batch_pack(&packer, head, schema, batch, &err) == 0);
	require(packer.bytes == body.len);
	for (size_t i = 1; i < packer.count; i++) {
		if (packer.parts[i].iov_len > 0)
			require(memcmp(body.data + at, packer.parts[i].iov_base,
			            packer.parts[i].iov_len) == 0);
		at += packer.parts[i].iov_len;
	}
	batch_packer_release(&packer);
}

static void try_batch(const struct schema *schema, struct span body)
{
	struct span rest = body;
	struct wire_input input = { read_body, &rest, body.len };
	struct error err = ERROR_INIT;
	struct batch_home *home = batch_home_new(CAPACITY, schema, 1, &err);
	struct batch *batch = home ? batch_home_take(home, &err) : NULL;
	struct buf room = BUF_INIT;
	struct batch_head head;

	require(batch != NULL);
	/* A place has its batch, and its elements elsewhere: test_lent.c. */
	if (batch_read_head(&input, CAPACITY, &head, &err) == 0 &&
	    head.place == 0 &&
	    batch_read(&input, &head, schema, batch, &room, &err) == 0)
		check_again(&head, schema, batch, body);
	buf_release(&room);
	batch_give(batch);
	batch_home_close(home);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	const size_t kinds = sizeof(schemas) / sizeof(schemas[0]);
	struct buf out = BUF_INIT;
	struct span body;

	if (len == 0)
		return 0;
	body = (struct span){ data + 1, len - 1 };
	switch (data[0]) {
	case 'f':
		try_facts(body, &out);
		break;
	case 'l':
		try_loader(body, &out);
		break;
	case 'w':
		try_worker(body, &out);
		break;
	case 'm':
		try_frame(body);
		break;
	case 'a':
		try_address(body);
		break;
	default:
		try_batch(&schemas[data[0] % kinds], body);
	}
	buf_release(&out);
	return 0;
}
