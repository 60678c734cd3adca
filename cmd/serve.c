/* serve.c - presto serve: runs online steps for loaders elsewhere. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/program/cmd.h"
#include "cmd/program/interrupt.h"
#include "cmd/program/terminal.h"
#include "cmd/project/project.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/host.h"
#include "lib/base/pages.h"
#include "lib/base/units.h"
#include "lib/files/path.h"
#include "lib/pipeline/code_print.h"
#include "lib/sample/reader.h"
#include "lib/service/listener.h"
#include "lib/service/secret.h"
#include "lib/service/server.h"
#include "lib/service/tls.h"
#include "strategies/plan/plan.h"

enum { PORT_MOST = 65535, PORT_NONE };

struct args {
	const char *cert, *key, *listen, *socket, *token_file;
	double drain;
	uint64_t fetchers, lend, loaders, port, threads;
	struct option_texts sets;
	bool until_eof;
};

static const struct args defaults = {
	.drain = 30,
	.lend = 32,
	.loaders = 64,
	.port = PORT_NONE,
};

static const struct option options[] = {
	OPTION(TEXT, "cert", 0, struct args, cert, "FILE",
	    "encrypt with the certificate in FILE (PEM, with its chain)"),
	OPTION(TIME, "drain", 0, struct args, drain, "TIME",
	    "at the end, deliver for up to TIME what loaders have asked for "
	    "(default: 30s)"),
	OPTION_RANGE(UINT, "fetchers", struct args, fetchers, 1, PLAN_THREADS,
	    "number of threads that read, for each loader (default: as many "
	    "as workers)"),
	OPTION(TEXT, "key", 0, struct args, key, "FILE",
	    "key of the certificate (PEM)"),
	OPTION_RANGE(UINT, "lend", struct args, lend, 0, 4096,
	    "number of batches that a loader at the Unix socket may have in "
	    "memory of this worker; it gets the bytes of further ones; 0: of "
	    "all (default: 32)"),
	OPTION(TEXT, "listen", 0, struct args, listen, "ADDRESS",
	    "listen at ADDRESS, a name or an IP address of this machine "
	    "(default with a port: 127.0.0.1)"),
	OPTION_RANGE(UINT, "loaders", struct args, loaders, 1, 4096,
	    "number of loaders to serve at the same time (default: 64)"),
	OPTION_RANGE(UINT, "port", struct args, port, 0, PORT_MOST,
	    "listen at port N; 0: one that the system chooses"),
	OPTION(REPEAT, "set", 0, struct args, sets, "SECTION.KEY=VALUE",
	    "change any key of the file; may be repeated"),
	OPTION(TEXT, "socket", 0, struct args, socket, "PATH",
	    "listen at the Unix socket PATH (default without a port: "
	    "presto.sock)"),
	{ .name = "threads",
	    .letter = 't',
	    .type = OPTION_UINT,
	    .offset = offsetof(struct args, threads),
	    .arg = "N",
	    .help = "number of worker threads, for each loader (default: as a "
	            "plan says, else the cores)",
	    .min = 1,
	    .max = PLAN_THREADS },
	OPTION(TEXT, "token-file", 0, struct args, token_file, "FILE",
	    "file with the token that loaders must know (default: "
	    "$PRESTO_TOKEN, else the file $PRESTO_TOKEN_FILE)"),
	OPTION(FLAG, "until-eof", 0, struct args, until_eof, NULL,
	    "end in order when standard input is at its end, as it is when "
	    "the program that started presto has ended"),
	OPTION_TABLE_END,
};

static bool has_port(const struct args *args)
{
	return args->port != PORT_NONE || args->listen;
}

static int check_options(const struct args *args, struct error *err)
{
	if (has_port(args) && args->socket)
		return error_set(
		    err, ERROR_USAGE, "give --socket or --port, not both");
	if (!args->cert != !args->key)
		return error_set(err, ERROR_USAGE,
		    "--cert and --key belong together: give both");
	if (args->cert && !has_port(args))
		return error_set(err, ERROR_USAGE,
		    "--cert is for --port: a Unix socket needs no TLS");
	return 0;
}

/* ---- the data ---- */

struct service_work {
	struct project *project; /* owned */
	struct service_facts facts;
	struct buf token;
	struct tls_context *tls; /* owned; NULL: none */
	struct listener listener;
};

static int open_data(struct service_work *work, const struct args *args,
    const char *path, struct error *err)
{
	const struct project_settings settings =
	    project_settings_of(&args->sets, NULL);
	int rc;

	work->project = project_new(err);
	if (!work->project)
		return -1;
	work->project->keeps_far = true; /* as loaders here do */
	rc = project_open_path(work->project, path, &settings, err);
	if (work->project->source)
		project_tell_notes(work->project->source);
	return rc;
}

/* Sets the fingerprint of the steps: their lines, and code of the user's. */
static int set_steps(struct service_work *work, struct error *err)
{
	const struct project *project = work->project;
	const struct ini *ini = &project->ini;
	struct buf code = BUF_INIT;
	const int rc =
	    code_print(&project->pipeline, project->pipeline.count, &code, err);

	work->facts.steps = hash_bytes(code.data, code.len,
	    ini_hash(ini_section(ini, "pipeline"), NULL, 0));
	buf_release(&code);
	return rc;
}

/* Says what loaders have to know of the data. */
static int set_facts(
    struct service_work *work, const char *path, struct error *err)
{
	const struct project *project = work->project;
	struct service_facts *facts = &work->facts;
	char *whole = path_absolute(path, err);
	char *name = whole ? project_name(whole, err) : NULL;

	free(whole);
	if (!name)
		return -1;
	snprintf(facts->name, sizeof(facts->name), "%s", name);
	free(name);
	snprintf(facts->version, sizeof(facts->version), "%s", PRESTO_VERSION);
	facts->schema = project->pipeline.schemas[project->pipeline.count];
	facts->samples = project_samples(project);
	facts->seed = project->plan.measure.seed;
	facts->identity = project->identity;
	facts->skip_errors = project->dataset.skip_errors;
	if (set_steps(work, err))
		return -1;
	return project->source->classes ? classes_copy(&facts->classes,
	                                      project->source->classes, err)
	                                : 0;
}

/* ---- listening ---- */

static int listen_at(
    struct service_work *work, const struct args *args, struct error *err)
{
	if (secret_read(args->token_file, &work->token, err))
		return -1;
	if (!has_port(args))
		return listener_open_path(&work->listener,
		    args->socket ? args->socket : "presto.sock", err);
	if (work->token.len == 0)
		return error_set(err, ERROR_USAGE,
		    "a port needs a token, since any user can connect to it: "
		    "give --token-file FILE, or set $PRESTO_TOKEN");
	if (args->cert) {
		work->tls = tls_server(args->cert, args->key, err);
		if (!work->tls)
			return -1;
	}
	return listener_open_port(&work->listener,
	    args->listen ? args->listen : "127.0.0.1",
	    args->port == PORT_NONE ? 0 : (unsigned)args->port, err);
}

/* Prints the URL for loaders, alone on the first line of the output. */
static void tell_url(const struct service_work *work)
{
	const char *place = work->listener.place;
	const char *scheme = work->tls ? "prestos://" : "presto://";
	char host[HOST_NAME];

	host_name(host);
	if (strncmp(place, "0.0.0.0:", 8) == 0 ||
	    strncmp(place, "[::]:", 5) == 0)
		terminal_line(
		    stdout, "%s%s%s", scheme, host, strrchr(place, ':'));
	else
		terminal_line(stdout, "%s%s", scheme, place);
	fflush(stdout);
	if (work->listener.is_open && !work->tls)
		cmd_warn("the token and the samples travel unencrypted: give "
		         "--cert and --key, unless the network is private");
	cmd_note(
	    "serving %s; Ctrl-C or SIGTERM ends it in order", work->facts.name);
}

static void tell_sums(const struct server_sums *sums)
{
	char bytes[UNITS_TEXT];

	cmd_note("served %llu loader%s: %llu samples in %llu batches, of which "
	         "%llu were lent, %s; refused %llu",
	    (unsigned long long)sums->loaders, sums->loaders == 1 ? "" : "s",
	    (unsigned long long)sums->samples,
	    (unsigned long long)sums->batches, (unsigned long long)sums->lent,
	    units_bytes((double)sums->bytes, bytes),
	    (unsigned long long)sums->refused);
}

/* Says once why no batches can be lent, if that is so. */
static void check_memory(const struct args *args)
{
	struct error why = ERROR_INIT;
	struct pages pages;
	int fd;

	if (has_port(args) || args->lend == 0)
		return;
	if (!pages_share(&pages, pages_round(1), &fd, &why)) {
		cmd_note("batches go through the socket: %s", why.text);
		return;
	}
	pages_give(&pages);
	close(fd);
}

static int run(struct service_work *work, const struct args *args,
    const atomic_bool *stop, struct error *err)
{
	const struct project *project = work->project;
	const unsigned threads =
	    project_threads(project, (unsigned)args->threads);
	const struct server_plan plan = {
		.facts = &work->facts,
		.source = {
		    .reader = project->source,
		    .pipeline = &project->pipeline,
		    .medium = project->medium,
		    .from = project->pipeline.from,
		    .to = project->pipeline.count,
		    .threads = threads,
.fetchers = project_fetchers(project, (unsigned)args->fetchers, threads),
		    .skip_errors = project->dataset.skip_errors,
		},
		.token = buf_span(&work->token),
		.tls = work->tls,
		.loaders = (unsigned)args->loaders,
		.lend = (unsigned)args->lend,
		.stop = stop,
		.until = args->until_eof ? STDIN_FILENO : -1,
		.drain_s = args->drain,
	};
	struct server_sums sums;

	tell_url(work);
	check_memory(args);
	if (server_run(&plan, &work->listener, &sums, err))
		return -1;
	tell_sums(&sums);
	return 0;
}

static int serve(
    const void *values, char **operands, int count, struct error *err)
{
	const struct args *args = values;
	struct service_work work = { .listener = LISTENER_INIT };
	const atomic_bool *stop = interrupt_watch(
	    "presto: ended at once; loaders ask other workers\n");
	int rc = check_options(args, err);

	UNUSED(count);
	if (rc == 0)
		rc = open_data(&work, args, operands[0], err);
	if (rc == 0)
		rc = set_facts(&work, operands[0], err);
	if (rc == 0)
		rc = listen_at(&work, args, err);
	if (rc == 0)
		rc = run(&work, args, stop, err);
	listener_close(&work.listener);
	tls_context_free(work.tls);
	buf_release(&work.token);
	service_facts_release(&work.facts);
	project_free(work.project);
	return rc;
}

const struct cmd cmd_serve = {
	.name = "serve",
	.summary = "run online steps for loaders in other programs",
	.usage = "PIPELINE.conf|PLAN|DIR",
	.options = options,
	.args_size = sizeof(struct args),
	.defaults = &defaults,
	.operands_min = 1,
	.operands_max = 1,
	.run = serve,
};
