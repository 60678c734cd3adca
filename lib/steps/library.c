/*
 * library.c - see library.h: wraps the steps of api/presto.h.
 * in:  what the step takes
 * out: what it gives
 *
 * The library runs in this process.  What it says of itself is checked before
 * it is called, and what it gives, for each sample.
 */
#include "lib/own/library.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/own/library_open.h"
#include "lib/process/one_thread.h"
#include "lib/steps/step.h"

static_assert((int)PRESTO_U8 == (int)DTYPE_U8 + 1, "dtypes are in order");
static_assert((int)PRESTO_F64 == (int)DTYPE_F64 + 1, "dtypes are in order");
static_assert((int)PRESTO_DIMS_MAX >= (int)SHAPE_MAX, "enough dims");

struct options {
	struct own own;
};

static const struct option options[] = {
	OWN_GIVES(struct options),
	OWN_SUFFIX(struct options),
	OPTION_TABLE_END,
};

/* One for each worker. */
struct instance {
	const struct library *library;
	struct presto_host host;
	void *made; /* by create */
	struct type promised;

	/* During a call. */
	struct tensor *out; /* NULL in create */
	struct random *random;
	struct error *err;
	bool has_said; /* err says what is wrong */
	bool has_reshaped, has_drawn;
};

/* ---- types ---- */

static void to_public(const struct type *type, struct presto_type *to)
{
	*to = (struct presto_type){
		.dtype = (enum presto_dtype)(type->dtype + 1),
		.rank = type->shape.count,
	};
	for (unsigned i = 0; i < to->rank; i++)
		to->dims[i] = type->shape.dims[i];
}

/* -1: there is no such type. */
static int from_public(const struct presto_type *type, struct type *to)
{
	if ((int)type->dtype < (int)PRESTO_U8 ||
	    (int)type->dtype > (int)PRESTO_F64 || type->rank > SHAPE_MAX)
		return -1;
	*to = (struct type){
		.dtype = (enum dtype)(type->dtype - 1),
		.shape.count = type->rank,
	};
	for (unsigned i = 0; i < type->rank; i++) {
		if (type->dims[i] < -1)
			return -1;
		to->shape.dims[i] = type->dims[i];
	}
	return 0;
}

/* ---- what presto does for an instance ---- */

static int host_reshape(
    void *self, struct presto_tensor *out, const struct presto_type *type)
{
	struct instance *instance = self;
	struct type to;

	if (instance->has_said)
		return -1;
	instance->has_said = true;
	if (!instance->out)
		return error_set(instance->err, ERROR_USAGE,
		    "calls host->reshape in create, where there is no sample");
	if (from_public(type, &to) || !shape_known(&to.shape))
		return error_set(instance->err, ERROR_DATA,
		    "calls host->reshape with a type that no sample can have");
	if (tensor_reshape(instance->out, to.dtype, &to.shape, instance->err))
		return -1;
	instance->has_said = false;
	instance->has_reshaped = true;
	out->type = *type;
	out->data = instance->out->data;
	out->bytes = instance->out->bytes;
	return 0;
}

static uint64_t host_draw(void *self)
{
	struct instance *instance = self;

	instance->has_drawn = true;
	return instance->random ? random_u64(instance->random) : 0;
}

__attribute__((format(printf, 2, 3))) static int host_fail(
    void *self, const char *format, ...)
{
	struct instance *instance = self;
	char text[sizeof(instance->err->text)];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (!instance->has_said)
		error_set(instance->err, ERROR_DATA, "%s", text);
	instance->has_said = true;
	return -1;
}

static void begin_call(struct instance *instance, struct error *err)
{
	instance->err = err;
	instance->out = NULL;
	instance->random = NULL;
	instance->has_said = false;
	instance->has_reshaped = false;
	instance->has_drawn = false;
}

/* ---- an instance ---- */

/* A call of the step, which may have to be made by its own thread. */
struct call {
	struct instance *instance;
	struct presto_type in, out;
	struct presto_tensor from, to;
	int rc;
};

static void call_step(
    const struct library *library, void (*function)(void *), void *arg)
{
	if (library->one_thread)
		one_thread_call(library->one_thread, function, arg);
	else
		function(arg);
}

static void do_create(void *arg)
{
	struct call *call = arg;
	struct instance *instance = call->instance;
	const struct library *library = instance->library;

	instance->made = library->step->create(
	    &instance->host, library->values, &call->in, &call->out);
}

static void do_run(void *arg)
{
	struct call *call = arg;
	struct instance *instance = call->instance;

	call->rc = instance->library->step->run(
	    instance->made, &call->from, &call->to);
}

static void do_destroy(void *arg)
{
	struct instance *instance = arg;

	if (instance->made && instance->library->step->destroy)
		instance->library->step->destroy(instance->made);
	instance->made = NULL;
}

/* Is the declared type one that the step may give? */
static bool fits(const struct type *declared, const struct type *given)
{
	if (declared->dtype != given->dtype ||
	    declared->shape.count != given->shape.count)
		return false;
	for (unsigned i = 0; i < given->shape.count; i++)
		if (declared->shape.dims[i] >= 0 && given->shape.dims[i] >= 0 &&
		    declared->shape.dims[i] != given->shape.dims[i])
			return false;
	return true;
}

/* Types that the line declares are part of the promise. */
static int take_declared(const struct own *own, const struct type *in,
    struct type *out, struct error *err)
{
	struct type declared;
	char text[SHAPE_TEXT], other[SHAPE_TEXT];
	const int rc = own_type(own, in, &declared, err);

	if (rc)
		return rc < 0 ? -1 : 0;
	if (!fits(&declared, out))
		return error_set(err, ERROR_USAGE,
		    "the line declares %s, and the step gives %s",
		    type_text(&declared, text), type_text(out, other));
	for (unsigned i = 0; i < out->shape.count; i++)
		if (declared.shape.dims[i] < 0)
			declared.shape.dims[i] = out->shape.dims[i];
	*out = declared;
	return 0;
}

static int create(struct instance *instance, const struct type *in,
    struct type *out, struct error *err)
{
	struct call call = { .instance = instance };

	begin_call(instance, err);
	to_public(in, &call.in);
	call_step(instance->library, do_create, &call);
	if (!instance->made && !instance->has_said)
		return error_set(
		    err, ERROR_USAGE, "its create fails, and does not say why");
	if (!instance->made)
		return -1;
	if (instance->has_drawn)
		return error_set(err, ERROR_USAGE,
		    "it draws in create, where there is no sample");
	if (from_public(&call.out, out))
		return error_set(err, ERROR_USAGE,
		    "its create does not say which type it gives");
	own_guess_layout(in, out);
	return 0;
}

/* A step that the program brought is named by the chain.  Returns -1. */
static int name_step(const struct library *library, struct error *err)
{
	return library->handle ? error_prefix(err, "%s", library->step->name)
	                       : -1;
}

static int library_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	const struct own *own = &((const struct options *)given)->own;
	struct instance *instance = priv;

	instance->library = own->code;
	instance->host = (struct presto_host){
		.size = sizeof(instance->host),
		.self = instance,
		.reshape = host_reshape,
		.draw = host_draw,
		.fail = host_fail,
	};
	if (create(instance, in, out, err) ||
	    take_declared(own, in, out, err)) {
		err->code = ERROR_USAGE;
		return name_step(instance->library, err);
	}
	instance->promised = *out;
	return 0;
}

static void view_input(const struct tensor *in, struct presto_tensor *view)
{
	const struct type type = { .dtype = in->dtype, .shape = in->shape };

	to_public(&type, &view->type);
	view->data = in->data;
	view->bytes = in->bytes;
}

/* Did the step do what it promised? */
static int check_result(const struct instance *instance, int rc,
    const struct tensor *out, struct error *err)
{
	const struct library *library = instance->library;

	if (instance->has_said)
		return -1;
	if (rc)
		return error_set(
		    err, ERROR_DATA, "fails, and does not say why");
	if (!instance->has_reshaped)
		return error_set(err, ERROR_DATA,
		    "gives nothing: its run did not call host->reshape");
	if (instance->has_drawn && !library->draws)
		return error_set(err, ERROR_DATA,
		    "draws, and is not PRESTO_RANDOM: its result would depend "
		    "on when it is run");
	return tensor_check(out, &instance->promised, err);
}

static int library_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	struct instance *instance = priv;
	struct call call = { .instance = instance };

	begin_call(instance, err);
	instance->out = out;
	instance->random = random;
	view_input(in, &call.from);
	call_step(instance->library, do_run, &call);
	if (check_result(instance, call.rc, out, err))
		return name_step(instance->library, err);
	if (instance->promised.layout == LAYOUT_ENCODED)
		memcpy(out->suffix, instance->promised.suffix,
		    sizeof(out->suffix));
	return 0;
}

static void library_release(void *priv)
{
	struct instance *instance = priv;

	if (instance->library)
		call_step(instance->library, do_destroy, instance);
}

/* ---- the two kinds ---- */

static int open_code(void *given, struct error *err)
{
	return library_open(&((struct options *)given)->own, err);
}

static void close_code(void *given)
{
	library_close(&((struct options *)given)->own);
}

static const struct own_ops own_library = {
	.target = "FILE.so:STEP",
	.passes = true,
	.open = open_code,
	.close = close_code,
};

const struct step_ops step_library = {
	.name = "library",
	.summary = "run a step of your own, from a shared library",
	.in = "what the step takes",
	.out = "what it gives",
	.options = options,
	.options_size = sizeof(struct options),
	.priv_size = sizeof(struct instance),
	.bind = library_bind,
	.run = library_run,
	.release = library_release,
	.own = &own_library,
};

const struct own_ops library_own_given = {
	.passes = true,
	.open = open_code,
	.close = close_code,
};
