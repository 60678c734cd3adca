/*
 * worker.c - see worker.h; worker.py is the other side.
 *
 * Each file begins with a record for each sample, and the data follows.  This
 * side decides on the size of both files.  A worker whose output does not fit
 * asks for room, and goes on when the file has grown.
 */
#define _GNU_SOURCE /* memfd_create, pipe2 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/room.h"
#include "lib/process/process.h"
#include "lib/python/program.h"
#include "lib/python/worker.h"

enum {
	HEAD = 8192,         /* bytes of all records of a file */
	FIRST_BYTES = 65536, /* of a file behind its head */
	WORDS_MOST = 64,     /* of the command line */
	START_S = 300,       /* large libraries may be slow to import */
	END_S = 1,           /* to end after the pipes were closed */
	IN_FILE = 3,         /* the worker's descriptor of the inputs */
	FLAGS = 32,          /* characters of all flags */
};

/* A tensor in a file. */
struct record {
	uint32_t dtype, rank;
	int64_t dims[SHAPE_MAX];
	uint64_t offset, bytes; /* in the file */
	uint32_t form;
	uint32_t unused;
	uint64_t draw[2];
	uint64_t more[2];
};

_Static_assert(PYTHON_SLOTS * sizeof(struct record) == HEAD, "as in worker.py");

enum {
	FORM_IN_PLACE = PYTHON_TEXT + 1, /* an array in the inputs' memory */
	FORM_FAILURE,                    /* the data is its words */
	FORM_NONE,                       /* the function has not been called */
	FORM_BEGUN, /* it was called, may have changed the input */
};

struct request {
	uint64_t samples, in_bytes, out_bytes;
};

enum reply_kind { REPLY_DONE = 1, REPLY_ROOM, REPLY_READY, REPLY_REFUSED };

struct reply {
	uint32_t kind, samples;
	uint64_t bytes; /* room needed in all; or of the text */
};

struct memory {
	int file;
	unsigned char *data;
	size_t bytes;
};

struct python_worker {
	const struct python_code *code;
	struct process process;
	struct memory in, out;
	uint64_t in_end; /* of the inputs that were put */
	int lifeline;    /* the kernel ends the worker when this is closed */
	struct buf reply;
	bool lost, is_late;
};

/* ---- shared memory ---- */

static int memory_resize(
    struct memory *memory, uint64_t bytes, struct error *err)
{
	void *data;

	if (bytes > SIZE_MAX / 2 || ftruncate(memory->file, (off_t)bytes))
		return error_memory(err, bytes);
	data = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
	    memory->file, 0);
	if (data == MAP_FAILED)
		return error_memory(err, bytes);
	if (memory->data)
		munmap(memory->data, memory->bytes);
	memory->data = data;
	memory->bytes = (size_t)bytes;
	return 0;
}

/* Makes the file at least so large; it at least doubles. */
static int memory_grow(struct memory *memory, uint64_t bytes, struct error *err)
{
	if (bytes <= memory->bytes)
		return 0;
	if (bytes < 2 * (uint64_t)memory->bytes)
		bytes = 2 * (uint64_t)memory->bytes;
	return memory_resize(memory, bytes, err);
}

static int memory_open(
    struct memory *memory, const char *name, struct error *err)
{
	memory->file = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (memory->file < 0)
		return error_errno(err, "make", "memory shared with python");
	/* Where the user's code cut it short, presto would get SIGBUS. */
	if (fcntl(memory->file, F_ADD_SEALS, F_SEAL_SHRINK))
		return error_errno(err, "seal", "memory shared with python");
	return memory_resize(memory, HEAD + FIRST_BYTES, err);
}

static void memory_close(struct memory *memory)
{
	if (memory->data)
		munmap(memory->data, memory->bytes);
	if (memory->file >= 0)
		close(memory->file);
}

/* ---- messages ---- */

static struct record *record_of(const struct memory *memory, unsigned slot)
{
	return (struct record *)(void *)memory->data + slot;
}

/* The worker is of no more use; returns -1. */
static int lose(struct python_worker *worker)
{
	worker->lost = true;
	process_kill(&worker->process);
	return -1;
}

/* The worker has closed its side: says how it ended. */
static int has_ended(struct python_worker *worker, struct error *err)
{
	const uint64_t deadline =
	    clock_now(&clock_monotonic) + END_S * 1000000000ull;

	if (process_end(&worker->process, deadline, err) == 0)
		error_set(err, ERROR_DATA, "exit status 0");
	error_prefix(err, "its worker process");
	process_blame(&worker->process, err);
	err->code = ERROR_DATA;
	return lose(worker);
}

static int say_late(
    struct python_worker *worker, double limit_s, struct error *err)
{
	error_set(err, ERROR_DATA,
	    "it did not answer in %g s, so its worker process was stopped "
	    "(option timeout)",
	    limit_s);
	worker->is_late = true;
	return lose(worker);
}

/* Sends a request (NULL: none) and waits for the reply. */
static int talk(struct python_worker *worker, const struct request *request,
    double limit_s, struct reply *reply, struct error *err)
{
	struct process_talk talk = {
		.output = &worker->reply,
		.wanted = sizeof(*reply),
		.deadline_ns =
		    clock_now(&clock_monotonic) + (uint64_t)(limit_s * 1e9),
	};
	enum process_heard heard;

	if (request)
		talk.input = (struct span){ (const unsigned char *)request,
			sizeof(*request) };
	worker->reply.len = 0;
	heard = process_talk(&worker->process, &talk, err);
	if (heard == PROCESS_CLOSED)
		return has_ended(worker, err);
	if (heard == PROCESS_LATE)
		return say_late(worker, limit_s, err);
	if (heard != PROCESS_HEARD)
		return lose(worker);
	process_count(&worker->process);
	memcpy(reply, worker->reply.data, sizeof(*reply));
	return 0;
}

/* Something else writes to the worker's pipe or memory. */
static int say_garbled(struct python_worker *worker, struct error *err)
{
	error_set(err, ERROR_DATA,
	    "its worker process gave an answer that makes no sense");
	return lose(worker);
}

/* ---- start ---- */

/* The first of its files has the program, until there are inputs. */
static int write_program(
    struct memory *in, char words[PROGRAM_WORDS], struct error *err)
{
	if (memory_grow(in, python_program_bytes(python_worker_program), err))
		return -1;
	python_program_write(python_worker_program, in->data);
	python_program_words(python_worker_program, IN_FILE, words);
	return 0;
}

/* Fills in argv; 0, or -1 if there are too many options. */
static int fill_words(const struct python_code *code, const char *program,
    char flags[FLAGS], const char *words[WORDS_MOST], struct error *err)
{
	unsigned count = 0;

	snprintf(flags, FLAGS, "-%s%s%s", code->draws ? ",draws" : "",
	    code->shows ? ",screen" : "", code->stacks ? ",batch" : "");

	words[count++] = code->interpreter;
	words[count++] = "-B";
	words[count++] = "-c";
	words[count++] = program;
	words[count++] = code->target;
	words[count++] = code->folder;
	words[count++] = flags;
	for (const char *const *o = code->options; o && *o; o++) {
		if (count == WORDS_MOST - 1)
			return error_set(
			    err, ERROR_USAGE, "it has too many options");
		words[count++] = *o;
	}
	words[count] = NULL;
	return 0;
}

/* Starts the process; `ends`: the pipe that tells it of our end. */
static int start(
    struct python_worker *worker, const int ends[2], struct error *err)
{
	/* The order of a set of texts depends on it. */
	static const char *const hashing[] = { "PYTHONHASHSEED=0", NULL };
	const char *words[WORDS_MOST];
	char program[PROGRAM_WORDS], flags[FLAGS];
	const struct process_plan plan = {
		.words = words,
		.folder = worker->code->folder,
		.environment = getenv("PYTHONHASHSEED") ? NULL : hashing,
		.fds = { worker->in.file, worker->out.file, ends[0],
		    STDERR_FILENO },
		.fd_count = 4,
	};

	if (write_program(&worker->in, program, err) ||
	    fill_words(worker->code, program, flags, words, err))
		return -1;
	if (process_start(&worker->process, &plan, err)) {
		err->code = ERROR_USAGE;
		return error_advise(
		    err, "[python] interpreter names the program");
	}
	return 0;
}

/* Waits until the code is imported; *told gets what identifies it. */
static int greet(
    struct python_worker *worker, struct buf *told, struct error *err)
{
	struct reply reply;
	const char *text = (const char *)worker->out.data + HEAD;

	if (talk(worker, NULL, START_S, &reply, err)) {
		if (worker->is_late)
			error_set(err, ERROR_USAGE,
			    "it has not imported the code in %d s", START_S);
		if (err->code != ERROR_INTERRUPTED)
			err->code = ERROR_USAGE;
		return error_prefix(err, "%s", worker->code->interpreter);
	}
	if (reply.bytes > worker->out.bytes - HEAD)
		return say_garbled(worker, err);
	if (reply.kind == REPLY_REFUSED) {
		error_set(err, ERROR_USAGE, "%.*s", (int)reply.bytes, text);
		return lose(worker);
	}
	if (reply.kind != REPLY_READY)
		return say_garbled(worker, err);
	told->len = 0;
	return buf_printf(told, err, "%.*s", (int)reply.bytes, text);
}

static int open_worker(
    struct python_worker *worker, struct buf *told, struct error *err)
{
	int ends[2], rc;

	if (buf_reserve(&worker->reply, sizeof(struct reply), err) ||
	    memory_open(&worker->in, "presto-in", err) ||
	    memory_open(&worker->out, "presto-out", err))
		return -1;
	if (pipe2(ends, O_CLOEXEC))
		return error_errno(err, "make", "a pipe");
	worker->lifeline = ends[1];
	rc = start(worker, ends, err);
	close(ends[0]);
	return rc ? -1 : greet(worker, told, err);
}

struct python_worker *python_worker_new(
    const struct python_code *code, struct buf *told, struct error *err)
{
	struct python_worker *worker = calloc(1, sizeof(*worker));

	if (!worker) {
		error_memory(err, sizeof(*worker));
		return NULL;
	}
	worker->code = code;
	worker->process = (struct process)PROCESS_INIT;
	worker->in.file = worker->out.file = worker->lifeline = -1;
	if (open_worker(worker, told, err) == 0)
		return worker;
	python_worker_free(worker);
	return NULL;
}

void python_worker_free(struct python_worker *worker)
{
	if (!worker)
		return;
	process_kill(&worker->process);
	if (worker->lifeline >= 0)
		close(worker->lifeline);
	memory_close(&worker->in);
	memory_close(&worker->out);
	buf_release(&worker->reply);
	free(worker);
}

bool python_worker_is_lost(const struct python_worker *worker)
{
	return worker->lost;
}

/* ---- calls ---- */

int python_worker_put(struct python_worker *worker, unsigned slot,
    const struct tensor *in, const uint64_t draw[2], struct error *err)
{
	const uint64_t at = slot ? worker->in_end : HEAD;
	/* One array of all samples has no gaps. */
	const uint64_t align = worker->code->stacks ? 1 : TENSOR_ALIGN;
	struct record *record;

	if (memory_grow(&worker->in, at + in->bytes, err))
		return -1;
	record = record_of(&worker->in, slot);
	*record = (struct record){
		.dtype = in->dtype,
		.rank = in->shape.count,
		.offset = at,
		.bytes = in->bytes,
		.draw = { draw[0], draw[1] },
	};
	memcpy(record->dims, in->shape.dims, sizeof(record->dims));
	memcpy(worker->in.data + at, in->data, in->bytes);
	worker->in_end = at + (in->bytes + align - 1) / align * align;
	return 0;
}

/* Takes the shape from a record that another process wrote. */
static int read_record(const struct memory *out, const struct record *record,
    struct tensor *tensor)
{
	struct shape shape = { .count = record->rank };
	uint64_t bytes;

	if (record->dtype >= DTYPE_COUNT || record->rank > SHAPE_MAX ||
	    record->offset < HEAD || record->offset > out->bytes ||
	    record->bytes > out->bytes - record->offset)
		return -1;
	bytes = dtype_bytes(record->dtype);
	for (unsigned d = 0; d < record->rank; d++) {
		const int64_t dim = record->dims[d];

		if (dim < 0 ||
		    __builtin_mul_overflow(bytes, (uint64_t)dim, &bytes))
			return -1;
		shape.dims[d] = dim;
	}
	if (bytes != record->bytes)
		return -1;
	*tensor = (struct tensor)TENSOR_INIT;
	tensor_view(tensor, record->dtype, &shape, out->data + record->offset);
	return 0;
}

/* Gives a worker the room that it asks for, for some samples. */
static int make_room(struct python_worker *worker, uint64_t bytes,
    unsigned samples, struct error *err)
{
	const uint64_t wanted = bytes > HEAD ? bytes - HEAD : 0;

	if (bytes <= worker->out.bytes) /* it would ask for ever */
		return say_garbled(worker, err);
	if (wanted / samples > SIZE_MAX / 4 ||
	    !room_fits((size_t)(wanted / samples))) {
		room_error("the output", wanted / samples, err);
		return lose(worker);
	}
	return memory_grow(&worker->out, bytes, err) ? lose(worker) : 0;
}

int python_worker_run(
    struct python_worker *worker, unsigned count, struct error *err)
{
	const double limit_s = worker->code->timeout_s;
	struct request request = { .samples = count };
	struct reply reply;

	for (unsigned i = 0; i < count; i++)
		record_of(&worker->out, i)->form = FORM_NONE;
	for (;;) {
		request.in_bytes = worker->in.bytes;
		request.out_bytes = worker->out.bytes;
		if (talk(worker, &request, limit_s, &reply, err))
			return -1;
		if (reply.kind != REPLY_ROOM)
			break;
		if (make_room(worker, reply.bytes, count, err))
			return -1;
	}
	return reply.kind == REPLY_DONE ? 0 : say_garbled(worker, err);
}

enum python_progress python_worker_progress(
    const struct python_worker *worker, unsigned slot)
{
	const uint32_t form = record_of(&worker->out, slot)->form;

	if (form <= FORM_FAILURE)
		return PYTHON_RETURNED;
	return form == FORM_NONE ? PYTHON_NOT_CALLED : PYTHON_CALLED;
}

int python_worker_get(struct python_worker *worker, unsigned slot,
    struct python_result *result, struct error *err)
{
	/* The other process may write to it at any time. */
	const struct record record = *record_of(&worker->out, slot);
	const bool in_place = record.form == FORM_IN_PLACE;

	if (record.form > FORM_FAILURE ||
	    read_record(in_place ? &worker->in : &worker->out, &record,
	        &result->tensor))
		return say_garbled(worker, err);
	if (record.form == FORM_FAILURE)
		return error_set(err, ERROR_DATA, "%.*s",
		    (int)result->tensor.bytes,
		    (const char *)result->tensor.data);
	result->form = in_place ? PYTHON_ARRAY : record.form;
	if (room_fits(result->tensor.bytes))
		return 0;
	return room_error("the output", result->tensor.bytes, err);
}

int python_worker_repeat(struct python_worker *worker,
    const struct python_worker *other, unsigned slot, struct error *err)
{
	const struct record *record = record_of(&other->in, slot);
	struct tensor in = TENSOR_INIT;

	/* The other process may have written anything. */
	if (read_record(&other->in, record, &in))
		return error_set(err, ERROR_DATA,
		    "its worker process has overwritten its input");
	return python_worker_put(worker, 0, &in, record->draw, err);
}
