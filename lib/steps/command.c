/*
 * command.c - a program of the user's own: bytes in, bytes out.
 * in:  the bytes of a file, or the elements of a tensor, row-major
 * out: the same
 *
 * A program is run for each sample: it reads the sample from its stdin and
 * writes the result to its stdout.  With framed=yes, one program a worker gets
 * all samples in turn, each behind its length in 8 bytes, little endian, and
 * answers in the same way.  A length of all ones says that the sample failed;
 * behind it comes the reason, with its own length.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/room.h"
#include "lib/base/units.h"
#include "lib/files/path.h"
#include "lib/own/own.h"
#include "lib/process/process.h"
#include "lib/steps/step.h"
#include "lib/syntax/shell.h"

enum {
	WORDS_MOST = 64,
	LENGTH_BYTES = 8,
	REASON_MOST = 4096,
};

#define LENGTH_FAILED UINT64_MAX

static const double farewell_s = 1; /* for a framed program to end in */

struct options {
	struct own own;
	bool framed;
	double timeout_s;
	const char *version;
};

static const struct option options[] = {
	OPTION(FLAG, "framed", 0, struct options, framed, "yes|no",
	    "one program for all samples of a worker, with lengths"),
	OWN_GIVES(struct options),
	OWN_SUFFIX(struct options),
	{ .name = "timeout",
	    .type = OPTION_TIME,
	    .offset = offsetof(struct options, timeout_s),
	    .arg = "TIME",
	    .help = "the longest that a sample may take (default: 60s)",
	    .min = 0.001,
	    .max = 1e6 },
	OPTION(TEXT, "version", 0, struct options, version, "TEXT",
	    "change it when results change for another reason"),
	OPTION_TABLE_END,
};

static const struct options defaults = { .timeout_s = 60 };

/* own->code: the command, split into words. */
struct command {
	char *text; /* owned: what the words lie in */
	const char *words[WORDS_MOST + 1];
	unsigned count;
};

/* One for each worker. */
struct runner {
	const struct options *options;
	const struct command *command;
	struct type gives;
	struct process process; /* framed: runs from the first sample on */
	struct buf output;
	uint64_t claimed; /* bytes of its output, when that is too large */
};

/* ---- opening ---- */

static int split(struct command *command, const char *target, struct error *err)
{
	char *rest, *word;
	int got;

	command->text = strdup(target);
	if (!command->text)
		return error_memory(err, strlen(target));
	rest = command->text;
	while ((got = shell_take(&rest, &word, err)) > 0) {
		if (command->count == WORDS_MOST)
			return error_set(err, ERROR_USAGE,
			    "the command has more than %d words", WORDS_MOST);
		command->words[command->count++] = word;
	}
	if (got == 0 && command->count == 0)
		return error_set(err, ERROR_USAGE, "the command is empty");
	return got;
}

/* A word that names a file is a part of the code, such as a script. */
static int print_argument(struct own *own, const char *word, struct error *err)
{
	char *path = own_path(own, word, err);
	struct stat status;
	int rc = path ? 0 : -1;

	if (path && *word && stat(path, &status) == 0 &&
	    S_ISREG(status.st_mode))
		rc = own_print_file(own, path, err);
	free(path);
	return rc;
}

static int print_code(struct own *own, const struct options *want,
    const struct command *command, struct error *err)
{
	char *program = process_find(command->words[0], own->folder, err);
	int rc = program ? own_print_file(own, program, err) : -1;

	for (unsigned i = 1; rc == 0 && i < command->count; i++)
		rc = print_argument(own, command->words[i], err);
	if (rc == 0 && want->version)
		rc = own_print_version(own, "version", want->version, err);
	free(program);
	return rc;
}

static int command_open(void *given, struct error *err)
{
	struct options *want = given;
	struct command *command = calloc(1, sizeof(*command));

	if (!command)
		return error_memory(err, sizeof(*command));
	want->own.code = command;
	if (split(command, want->own.target, err))
		return -1;
	return print_code(&want->own, want, command, err);
}

static void command_close(void *given)
{
	struct options *want = given;
	struct command *command = want->own.code;

	want->own.code = NULL;
	if (command)
		free(command->text);
	free(command);
}

/* ---- types ---- */

static unsigned count_unknown(const struct shape *shape)
{
	unsigned count = 0;

	for (unsigned i = 0; i < shape->count; i++)
		count += shape->dims[i] < 0;
	return count;
}

/* Files stay files of their kind, and elements become some file. */
static void choose_file(const struct type *in, struct type *out)
{
	*out = (struct type){
		.dtype = DTYPE_U8,
		.layout = LAYOUT_ENCODED,
		.shape = { 1, { -1 } },
		.suffix = "bin",
	};
	if (in->layout == LAYOUT_ENCODED)
		memcpy(out->suffix, in->suffix, sizeof(out->suffix));
}

static int command_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	const struct options *want = given;
	struct runner *runner = priv;
	const int rc = own_type(&want->own, in, out, err);

	if (rc < 0)
		return -1;
	if (rc > 0)
		choose_file(in, out);
	if (count_unknown(&out->shape) > 1 &&
	    (out->shape.count != in->shape.count ||
	        in->layout == LAYOUT_ENCODED))
		return error_set(err, ERROR_USAGE,
		    "gives: one dim may be ?, which follows from the number of "
		    "bytes; %s has more",
		    want->own.gives);
	runner->options = want;
	runner->command = want->own.code;
	runner->gives = *out;
	runner->process = (struct process)PROCESS_INIT;
	return 0;
}

/* Finds the unknown dims: those of the input, or what the bytes leave. */
static int complete_shape(const struct runner *runner, const struct tensor *in,
    size_t bytes, struct shape *shape)
{
	const bool is_one = count_unknown(&runner->gives.shape) == 1;
	size_t others = dtype_bytes(runner->gives.dtype);
	unsigned unknown = 0;

	*shape = runner->gives.shape;
	for (unsigned i = 0; i < shape->count; i++) {
		if (shape->dims[i] < 0 && is_one)
			unknown = i;
		else if (shape->dims[i] < 0)
			shape->dims[i] = in->shape.dims[i];
		if (shape->dims[i] >= 0 &&
		    size_mul(others, (size_t)shape->dims[i], &others))
			return -1;
	}
	if (!is_one)
		return bytes == others ? 0 : -1;
	if (others == 0 || bytes % others)
		return -1;
	shape->dims[unknown] = (int64_t)(bytes / others);
	return 0;
}

static int put_output(const struct runner *runner, const struct tensor *in,
    struct span bytes, struct tensor *out, struct error *err)
{
	const struct type *gives = &runner->gives;
	char text[SHAPE_TEXT];
	struct shape shape;

	if (complete_shape(runner, in, bytes.len, &shape))
		return error_set(err, ERROR_DATA,
		    "gives %zu bytes, which are not %s", bytes.len,
		    type_text(gives, text));
	if (tensor_reshape(out, gives->dtype, &shape, err))
		return -1;
	if (bytes.len)
		memcpy(out->data, bytes.data, bytes.len);
	memcpy(out->suffix, gives->suffix, sizeof(out->suffix));
	return 0;
}

/* ---- running ---- */

static uint64_t deadline_in(double seconds)
{
	return clock_now(&clock_monotonic) + (uint64_t)(seconds * 1e9);
}

static int start(struct runner *runner, struct error *err)
{
	const struct process_plan plan = {
		.words = runner->command->words,
		.folder = runner->options->own.folder,
	};

	return process_start(&runner->process, &plan, err);
}

static int error_late(const struct runner *runner, struct error *err)
{
	char text[UNITS_TEXT];

	return error_set(err, ERROR_DATA,
	    "takes longer than %s: it was ended; timeout sets how long",
	    units_time(runner->options->timeout_s, text));
}

/* Says why it did not answer, and ends it. */
static int give_up(struct runner *runner, enum process_heard heard,
    uint64_t deadline_ns, struct error *err)
{
	struct process *process = &runner->process;

	switch (heard) {
	case PROCESS_LATE:
		process_kill(process);
		error_late(runner, err);
		break;
	case PROCESS_EXCESS:
		process_kill(process);
		return room_error("its output", runner->claimed, err);
	case PROCESS_STOPPED:
	case PROCESS_FAILED:
		process_kill(process);
		return -1;
	default:
		if (process_end(process, deadline_ns, err) == 0)
			error_set(err, ERROR_DATA, "ends without an answer");
	}
	return process_blame(process, err);
}

/* Runs the program on one sample. */
static int run_once(struct runner *runner, const struct tensor *in,
    struct tensor *out, struct error *err)
{
	const uint64_t deadline_ns = deadline_in(runner->options->timeout_s);
	struct process_talk talk = {
		.input = { in->data, in->bytes },
		.is_last = true,
		.output = &runner->output,
		.wanted = SIZE_MAX,
		.most = room_now(),
		.deadline_ns = deadline_ns,
	};
	enum process_heard heard;

	runner->output.len = 0;
	if (start(runner, err))
		return -1;
	heard = process_talk(&runner->process, &talk, err);
	runner->claimed = runner->output.len;
	if (heard != PROCESS_CLOSED)
		return give_up(runner, heard, deadline_ns, err);
	if (process_end(&runner->process, deadline_ns, err))
		return process_blame(&runner->process, err);
	return put_output(runner, in, buf_span(&runner->output), out, err);
}

/* ---- framed ---- */

static void write_length(unsigned char bytes[LENGTH_BYTES], uint64_t length)
{
	for (unsigned i = 0; i < LENGTH_BYTES; i++)
		bytes[i] = (unsigned char)(length >> 8 * i);
}

static uint64_t read_length(const unsigned char bytes[LENGTH_BYTES])
{
	uint64_t length = 0;

	for (unsigned i = 0; i < LENGTH_BYTES; i++)
		length |= (uint64_t)bytes[i] << 8 * i;
	return length;
}

/* Receives a length, and so many bytes if they are at most `most` (0: any). */
static enum process_heard receive(struct runner *runner,
    struct process_talk *talk, size_t most, uint64_t *length, struct error *err)
{
	const size_t begin = runner->output.len;
	enum process_heard heard;

	talk->wanted = begin + LENGTH_BYTES;
	heard = process_talk(&runner->process, talk, err);
	if (heard != PROCESS_HEARD)
		return heard;
	*length = read_length(runner->output.data + begin);
	if (*length == LENGTH_FAILED)
		return PROCESS_HEARD;
	runner->claimed = *length;
	if (*length > SIZE_MAX / 2 || (most && *length > most))
		return PROCESS_EXCESS;
	talk->wanted += (size_t)*length;
	return process_talk(&runner->process, talk, err);
}

/* Receives the reason of a sample that failed; the program goes on. */
static int receive_reason(
    struct runner *runner, struct process_talk *talk, struct error *err)
{
	const size_t begin = runner->output.len + LENGTH_BYTES;
	enum process_heard heard;
	uint64_t length;

	heard = receive(runner, talk, REASON_MOST, &length, err);
	if (heard != PROCESS_HEARD)
		return give_up(runner, heard, talk->deadline_ns, err);
	if (length == LENGTH_FAILED)
		length = 0;
	return error_set(err, ERROR_DATA, "%.*s", (int)length,
	    (const char *)runner->output.data + begin);
}

/* Sends the length, and then the sample. */
static enum process_heard send_sample(struct runner *runner,
    const struct tensor *in, struct process_talk *talk, struct error *err)
{
	unsigned char length[LENGTH_BYTES];
	struct process_talk head = *talk;
	enum process_heard heard;

	write_length(length, in->bytes);
	head.input = (struct span){ length, sizeof(length) };
	head.wanted = 0;
	heard = process_talk(&runner->process, &head, err);
	if (heard == PROCESS_HEARD && head.input.len)
		heard = PROCESS_CLOSED; /* a pipe has room for 8 bytes */
	return heard;
}

/* Gives the sample to the program of this worker. */
static int run_framed(struct runner *runner, const struct tensor *in,
    struct tensor *out, struct error *err)
{
	struct process_talk talk = {
		.input = { in->data, in->bytes },
		.output = &runner->output,
		.deadline_ns = deadline_in(runner->options->timeout_s),
	};
	enum process_heard heard;
	uint64_t length = 0;
	int rc;

	runner->output.len = 0;
	if (runner->process.id <= 0 && start(runner, err))
		return -1;
	heard = send_sample(runner, in, &talk, err);
	if (heard == PROCESS_HEARD)
		heard = receive(runner, &talk, room_now(), &length, err);
	if (heard != PROCESS_HEARD)
		return give_up(runner, heard, talk.deadline_ns, err);
	process_count(&runner->process);
	if (length == LENGTH_FAILED) {
		rc = receive_reason(runner, &talk, err);
		/* It would take the next sample for the rest of this one. */
		if (talk.input.len)
			process_kill(&runner->process);
		return rc;
	}
	if (talk.input.len) {
		process_kill(&runner->process);
		return error_set(
		    err, ERROR_DATA, "answers before it has read the sample");
	}
	return put_output(runner, in,
	    (struct span){ runner->output.data + LENGTH_BYTES, length }, out,
	    err);
}

static int command_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	struct runner *runner = priv;
	const int rc = runner->options->framed
	                   ? run_framed(runner, in, out, err)
	                   : run_once(runner, in, out, err);

	UNUSED(random);
	if (rc == 0)
		return 0;
	return error_prefix(err, "%s", path_base(runner->command->words[0]));
}

static void command_release(void *priv)
{
	struct runner *runner = priv;
	struct error ignored = ERROR_INIT;

	if (runner->process.id > 0)
		process_end(
		    &runner->process, deadline_in(farewell_s), &ignored);
	buf_release(&runner->output);
}

static const struct own_ops own_command = {
	.target = "'PROGRAM ARGUMENT ...'",
	.open = command_open,
	.close = command_close,
};

const struct step_ops step_command = {
	.name = "command",
	.summary = "run a program of your own on each sample",
	.in = "the bytes of a file, or any tensor",
	.out = "the bytes of a file, or a declared tensor",
	.options = options,
	.options_size = sizeof(struct options),
	.defaults = &defaults,
	.priv_size = sizeof(struct runner),
	.bind = command_bind,
	.run = command_run,
	.release = command_release,
	.own = &own_command,
};
