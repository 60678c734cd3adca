/* remote_greet.c - the first messages to a worker, and what a service is. */
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/process/pipe_guard.h"
#include "lib/service/channel.h"
#include "lib/service/lent.h"
#include "lib/service/remote_state.h"
#include "lib/service/secret.h"
#include "lib/service/tls.h"

/* Receives the answer to a message, or why the worker refuses. */
static int hear_answer(struct channel *channel, enum message_kind kind,
    struct buf *body, struct error *err)
{
	struct frame frame;
	struct failed failed;

	if (channel_hear(channel, &frame, err) ||
	    channel_hear_body(channel, &frame, body, err))
		return -1;
	if (frame.kind == kind)
		return 0;
	if (frame.kind != MESSAGE_REFUSED)
		return error_set(err, ERROR_DATA,
		    "a message of kind %u came, and %u was expected",
		    (unsigned)frame.kind, (unsigned)kind);
	if (failed_parse(buf_span(body), &failed, err))
		return -1;
	return error_set(err, failed.is_usage ? ERROR_USAGE : ERROR_SYSTEM,
	    "%s", failed.text);
}

static int say_hello(const struct service *service, struct channel *channel,
    struct service_facts *facts, struct error *err)
{
	const struct hello hello = {
		.version = MESSAGE_VERSION,
		.token = buf_span(&service->token),
		.name = span_text(service->address.name),
	};
	struct buf body = BUF_INIT;
	int rc = hello_put(&hello, &body, err);

	if (rc == 0)
		rc = channel_tell(
		    channel, MESSAGE_HELLO, 0, buf_span(&body), err);
	if (rc == 0)
		rc = hear_answer(channel, MESSAGE_WELCOME, &body, err);
	if (rc == 0)
		rc = service_facts_parse(buf_span(&body), facts, err);
	buf_release(&body);
	return rc;
}

struct channel *remote_greet(const struct service *service,
    const struct service_place *place, struct service_facts *facts,
    struct error *err)
{
	struct channel *channel = channel_connect(place, service->tls, err);

	if (channel && say_hello(service, channel, facts, err) == 0)
		return channel;
	channel_free(channel);
	error_prefix(err, "worker %s", place->text);
	return NULL;
}

/* Do two workers deliver the same fields of the same dataset? */
static bool is_same(
    const struct service_facts *a, const struct service_facts *b)
{
	bool is = a->identity == b->identity && a->steps == b->steps &&
	          a->samples == b->samples &&
	          a->skip_errors == b->skip_errors &&
	          a->schema.count == b->schema.count;

	for (unsigned f = 0; is && f < a->schema.count; f++)
		is = strcmp(a->schema.fields[f].name,
		         b->schema.fields[f].name) == 0 &&
		     type_equal(
		         &a->schema.fields[f].type, &b->schema.fields[f].type);
	return is;
}

static int open_order(const struct remote_loader *loader,
    struct channel *channel, bool borrows, struct opened *opened,
    struct error *err)
{
	struct service_order order = loader->order;
	struct buf body = BUF_INIT;
	int rc;

	order.borrows = borrows && channel_is_local(channel);
	rc = order_put(&order, &body, err);
	if (rc == 0)
		rc = channel_tell(
		    channel, MESSAGE_OPEN, 0, buf_span(&body), err);
	if (rc == 0)
		rc = hear_answer(channel, MESSAGE_OPENED, &body, err);
	if (rc == 0)
		rc = opened_parse(buf_span(&body), opened, err);
	buf_release(&body);
	return rc;
}

static struct channel *open_once(const struct link *link, bool borrows,
    struct opened *opened, struct error *err)
{
	const struct service *service = link->loader->service;
	struct service_facts facts;
	struct channel *channel =
	    remote_greet(service, link->place, &facts, err);
	int rc = 0;

	if (!channel)
		return NULL;
	if (!is_same(&facts, &service->facts))
		rc = error_set(err, ERROR_USAGE,
		    "it serves other data, other steps, or steps with other "
		    "code, than the worker that answered first: serve the "
		    "same to all");
	service_facts_release(&facts);
	if (rc == 0)
		rc = open_order(link->loader, channel, borrows, opened, err);
	if (rc == 0)
		return channel;
	channel_free(channel);
	error_prefix(err, "worker %s", link->place->text);
	return NULL;
}

/* Maps the memory that the worker lends, if it lends any. */
static int borrow(struct link *link, struct channel *channel, unsigned places,
    struct error *err)
{
	const struct remote_loader *loader = link->loader;
	const int fd = channel_take_passed(channel);

	link->lent = NULL;
	if (places > 0) {
		link->lent = lent_new(fd, places, loader->order.batch,
		    &loader->service->facts.schema, link->wake, err);
		return link->lent ? 0 : -1;
	}
	if (fd >= 0)
		close(fd);
	return 0;
}

struct channel *remote_open(
    struct link *link, struct opened *opened, struct error *err)
{
	struct channel *channel = open_once(link, true, opened, err);

	if (!channel || borrow(link, channel, opened->places, err) == 0)
		return channel;
	channel_free(channel);
	*err = (struct error)ERROR_INIT;
	channel = open_once(link, false, opened, err);
	if (!channel || opened->places == 0)
		return channel;
	channel_free(channel);
	error_set(err, ERROR_DATA, "worker %s lends what nobody asked for",
	    link->place->text);
	return NULL;
}

/* ---- services ---- */

/* Asks one worker after the other; the error is that of the last. */
static int ask_facts(struct service *service, struct error *err)
{
	struct pipe_guard guard;
	struct channel *channel = NULL;

	pipe_guard_begin(&guard);
	for (unsigned i = 0; i < service->address.count && !channel; i++) {
		*err = (struct error)ERROR_INIT;
		channel = remote_greet(
		    service, &service->address.places[i], &service->facts, err);
	}
	channel_free(channel);
	pipe_guard_end(&guard);
	return channel ? 0 : -1;
}

static int set_up(struct service *service, const char *url, struct error *err)
{
	const char *authorities = getenv("PRESTO_CA_FILE");

	if (address_parse(url, &service->address, err) ||
	    secret_read(NULL, &service->token, err))
		return -1;
	if (service->address.tls) {
		service->tls = tls_client(
		    authorities && *authorities ? authorities : NULL, err);
		if (!service->tls)
			return -1;
	}
	return ask_facts(service, err);
}

struct service *service_open(const char *url, struct error *err)
{
	struct service *service = memory_zeroed(sizeof(*service), err);

	if (!service)
		return NULL;
	if (set_up(service, url, err) == 0)
		return service;
	service_free(service);
	return NULL;
}

void service_free(struct service *service)
{
	if (!service)
		return;
	service_facts_release(&service->facts);
	tls_context_free(service->tls);
	buf_release(&service->token);
	free(service);
}

const struct service_facts *service_facts(const struct service *service)
{
	return &service->facts;
}
