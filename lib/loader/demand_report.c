/* demand_report.c - see demand_report.h. */
#include "lib/loader/demand_report.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/printable.h"

enum {
	LINE = 128,
	HEAD = 512,
	PATH = 4096,
	BATCHES_MOST = 1 << 30, /* of a line that is read */
};

#define SAMPLES_MOST ((uint64_t)1 << 36)

static const uint64_t a_second_ns = 1000000000;
static const uint64_t a_year_ns = 31536000000000000;

/* ---- writing ---- */

struct demand_report {
	int fd; /* -1: writing has failed */
	pid_t process;
	bool is_paused;
	uint64_t begun;             /* batches so far */
	uint64_t called_ns;         /* the last call */
	uint64_t written_ns;        /* the last line */
	struct demand_record batch; /* begun; batches 0: there is none */
	struct demand_record sum;   /* complete batches without a line */
};

/* A line is written by one call, so that a kill leaves whole lines. */
static void write_line(struct demand_report *report, const char *text, int len)
{
	ssize_t done = -1;

	if (report->fd < 0)
		return;
	if (len > 0)
		do
			done = write(report->fd, text, (size_t)len);
		while (done < 0 && errno == EINTR);
	if (done == len)
		return;
	close(report->fd);
	report->fd = -1;
}

/* Opens a new file in the folder; -1: nobody asks, or it cannot be. */
static int open_file(void)
{
	const char *dir = getenv(DEMAND_FOLDER);
	char path[PATH];

	for (unsigned i = 0; dir && *dir && i < 10000; i++) {
		int fd;

		if (snprintf(path, sizeof(path), "%s/loader-%ld-%u", dir,
		        (long)getpid(), i) >= PATH)
			return -1;
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

struct demand_report *demand_report_new(const struct demand_loader *loader)
{
	const int fd = open_file();
	struct demand_report *report;
	char head[HEAD + DEMAND_DATASET], dataset[DEMAND_DATASET];
	int len;

	if (fd < 0)
		return NULL;
	report = calloc(1, sizeof(*report));
	if (!report) {
		close(fd);
		return NULL;
	}
	report->fd = fd;
	report->process = getpid();
	report->written_ns = loader->begin_ns;
	printable_copy(dataset, sizeof(dataset), span_text(loader->dataset));
	len = snprintf(head, sizeof(head),
	    "presto-demand 1 %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
	    " %" PRIu64 " %s\n",
	    loader->pid, loader->batch_size, loader->rank, loader->world_size,
	    loader->begin_ns, dataset);
	write_line(report, head, len);
	return report;
}

static void write_sum(struct demand_report *report, uint64_t now_ns)
{
	const struct demand_record *sum = &report->sum;
	char line[LINE];

	if (sum->batches)
		write_line(report, line,
		    snprintf(line, sizeof(line),
		        "b %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
		        " %" PRIu64 "\n",
		        now_ns, sum->batches, sum->samples, sum->wait_ns,
		        sum->busy_ns));
	report->sum = (struct demand_record){ .batches = 0 };
	report->written_ns = now_ns;
}

static void end_batch(
    struct demand_report *report, const struct demand_call *call)
{
	const struct demand_record *batch = &report->batch;
	struct demand_record *sum = &report->sum;

	sum->batches += batch->batches;
	sum->samples += batch->samples;
	sum->wait_ns += batch->wait_ns;
	sum->busy_ns += call->busy_ns;
	if (report->begun <= DEMAND_SINGLE || call->samples == 0 ||
	    call->now_ns - report->written_ns >= a_second_ns)
		write_sum(report, call->now_ns);
}

static void end_pause(
    struct demand_report *report, const struct demand_call *call)
{
	char line[LINE];

	write_line(report, line,
	    snprintf(line, sizeof(line), "e %" PRIu64 " %" PRIu64 "\n",
	        call->now_ns, call->busy_ns));
	report->is_paused = false;
}

void demand_report_call(
    struct demand_report *report, const struct demand_call *call)
{
	if (!report)
		return;
	if (report->batch.batches)
		end_batch(report, call);
	else if (report->is_paused)
		end_pause(report, call);
	report->batch = (struct demand_record){ .batches = call->samples > 0,
		.samples = call->samples,
		.wait_ns = call->wait_ns };
	report->begun += report->batch.batches;
	report->called_ns = call->now_ns;
	report->is_paused = call->samples == 0;
}

void demand_report_free(struct demand_report *report)
{
	if (!report)
		return;
	/* In a child of fork, the sum is still the parent's to write. */
	if (report->process == getpid())
		write_sum(report, report->called_ns);
	if (report->fd >= 0)
		close(report->fd);
	free(report);
}

/* ---- reading ---- */

static int is_odd(const char *path, size_t line, struct error *err)
{
	return error_set(err, ERROR_DATA,
	    "%s:%zu: this is no line of a loader's report", path, line);
}

static int parse_head(struct demand_stream *stream, const char *line)
{
	struct demand_loader *loader = &stream->loader;
	unsigned version = 0;
	int used = 0;

	if (sscanf(line,
	        "presto-demand %u %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
	        " %" SCNu64 " %n",
	        &version, &loader->pid, &loader->batch_size, &loader->rank,
	        &loader->world_size, &loader->begin_ns, &used) != 6 ||
	    version != 1 || used == 0)
		return -1;
	snprintf(loader->dataset, sizeof(loader->dataset), "%s", line + used);
	return 0;
}

/* A line is about a second, so its numbers are small: sums never overflow. */
static bool is_plausible(const struct demand_record *record)
{
	return record->batches && record->batches <= BATCHES_MOST &&
	       record->samples && record->samples <= SAMPLES_MOST &&
	       record->wait_ns <= a_year_ns && record->busy_ns <= a_year_ns;
}

static int parse_record(struct demand_record *record, const char *line)
{
	*record = (struct demand_record){ .end_ns = 0 };
	if (sscanf(line,
	        "b %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
	        &record->end_ns, &record->batches, &record->samples,
	        &record->wait_ns, &record->busy_ns) == 5)
		return is_plausible(record) ? 0 : -1;
	if (sscanf(line, "e %" SCNu64 " %" SCNu64, &record->end_ns,
	        &record->busy_ns) == 2)
		return record->busy_ns <= a_year_ns ? 0 : -1;
	return -1;
}

static int add_record(
    struct demand_stream *stream, const char *line, struct error *err)
{
	struct demand_record record, *grown;

	if (parse_record(&record, line))
		return 1;
	grown = array_grow(stream->records, &stream->capacity,
	    stream->count + 1, sizeof(*grown), err);
	if (!grown)
		return -1;
	stream->records = grown;
	grown[stream->count++] = record;
	return 0;
}

int demand_stream_parse(struct demand_stream *stream, const char *path,
    struct span text, struct error *err)
{
	const unsigned char *end;
	char line[HEAD + DEMAND_DATASET];

	*stream = (struct demand_stream)DEMAND_STREAM_INIT;
	for (size_t n = 1;
	     text.len && (end = memchr(text.data, '\n', text.len)); n++) {
		const size_t len = (size_t)(end - text.data);
		int rc = 1;

		if (len < sizeof(line)) {
			memcpy(line, text.data, len);
			line[len] = '\0';
			rc = n == 1 ? parse_head(stream, line)
			            : add_record(stream, line, err);
		}
		if (rc) {
			demand_stream_release(stream);
			return rc < 0 && n > 1 ? -1 : is_odd(path, n, err);
		}
		text.data += len + 1;
		text.len -= len + 1;
	}
	return 0;
}

void demand_stream_release(struct demand_stream *stream)
{
	free(stream->records);
	*stream = (struct demand_stream)DEMAND_STREAM_INIT;
}
