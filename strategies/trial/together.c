/* together.c - see together.h. */
#include "strategies/trial/together.h"

#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/meeting/meeting.h"

/* Figures that a host tells of its epoch. */
struct share {
	uint64_t samples, wall_ns, cpu_ns, bytes_fetched;
	int64_t bytes_from_storage; /* -1: not known */
};

unsigned together_hosts(const struct together_log *log)
{
	return log->count ? log->rows[log->count - 1].hosts : 1;
}

int together_begin(const struct together *together, struct error *err)
{
	return meeting_exchange(
	    together->meeting, together->hosts, NULL, 0, NULL, err);
}

static int log_epoch(const struct together *together,
    const struct share *shares, const struct run_row *row,
    struct together_log *log, struct error *err)
{
	struct host_row *rows = array_grow(log->rows, &log->capacity,
	    log->count + together->hosts, sizeof(*rows), err);

	if (!rows)
		return -1;
	log->rows = rows;
	for (unsigned i = 0; i < together->hosts; i++)
		rows[log->count++] = (struct host_row){
			.hosts = together->hosts,
			.run = row->run,
			.epoch = row->epoch,
			.rank = i,
			.host = meeting_host(together->meeting, i),
			.samples = shares[i].samples,
			.wall_ns = shares[i].wall_ns,
			.bytes = shares[i].bytes_fetched,
		};
	return 0;
}

/* Makes the row that of the slowest host. */
static void join(const struct together *together, const struct share *shares,
    struct run_row *row)
{
	const unsigned own = meeting_rank(together->meeting);

	for (unsigned i = 0; i < together->hosts; i++) {
		if (shares[i].wall_ns > row->wall_ns)
			row->wall_ns = shares[i].wall_ns;
		if (shares[i].bytes_from_storage > row->bytes_from_storage)
			row->bytes_from_storage = shares[i].bytes_from_storage;
		if (i != own && meeting_is_one_machine(together->meeting))
			row->cores.others_ns -= (int64_t)shares[i].cpu_ns;
	}
}

int together_end(const struct together *together, struct run_row *row,
    bool counts, struct together_log *log, struct error *err)
{
	const struct share own = {
		.samples = row->samples,
		.wall_ns = row->wall_ns,
		.cpu_ns = row->user_ns + row->system_ns,
		.bytes_fetched = row->bytes_fetched,
		.bytes_from_storage = row->bytes_from_storage,
	};
	struct share *shares = calloc(together->hosts, sizeof(*shares));
	int rc;

	if (!shares)
		return error_memory(err, together->hosts * sizeof(*shares));
	rc = meeting_exchange(
	    together->meeting, together->hosts, &own, sizeof(own), shares, err);
	if (rc == 0)
		join(together, shares, row);
	if (rc == 0 && counts)
		rc = log_epoch(together, shares, row, log, err);
	free(shares);
	return rc;
}

void together_forget_epoch(
    const struct together *together, struct together_log *log)
{
	const size_t rows = together ? together->hosts : 0;

	log->count -= log->count < rows ? log->count : rows;
}
