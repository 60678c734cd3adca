/* process_tree.c - see process_tree.h. */
#include "lib/process/process_tree.h"

#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/proc_text.h"

enum {
	NAME = 64,
	TEXT = 1024,
	ENOUGH = 4, /* looks, to leave out the beginning */
	OFTEN = 16, /* looks, at the beginning, that all search for children */
	READERS_PART = 100,
};

static const uint64_t search_ns = 1000000000;

/* ---- one process ---- */

struct stat_line {
	char state;
	uint64_t parent, ticks, threads, start;
};

/* The name of a process may contain anything, so fields follow the last ')'. */
static bool parse_stat(const char *text, struct stat_line *line)
{
	const char *rest = strrchr(text, ')');
	uint64_t user, system;

	if (!rest ||
	    sscanf(rest + 1,
	        " %c %" SCNu64 " %*s %*s %*s %*s %*s %*s %*s %*s %*s %" SCNu64
	        " %" SCNu64 " %*s %*s %*s %*s %" SCNu64 " %*s %" SCNu64,
	        &line->state, &line->parent, &user, &system, &line->threads,
	        &line->start) != 6)
		return false;
	line->ticks = user + system;
	return true;
}

static bool read_stat(const char *root, uint64_t pid, struct stat_line *line)
{
	char name[NAME], text[TEXT];

	snprintf(name, sizeof(name), "proc/%" PRIu64 "/stat", pid);
	return proc_text_get(root, name, text, sizeof(text)) == 0 &&
	       parse_stat(text, line);
}

static bool read_io(
    const char *root, uint64_t pid, struct process_counts *counts)
{
	char name[NAME], text[TEXT];

	snprintf(name, sizeof(name), "proc/%" PRIu64 "/io", pid);
	return proc_text_get(root, name, text, sizeof(text)) == 0 &&
	       proc_text_number(text, "rchar:", &counts->read_bytes) &&
	       proc_text_number(text, "read_bytes:", &counts->storage_bytes);
}

static uint64_t ticks_to_ns(uint64_t ticks)
{
	const long per_s = sysconf(_SC_CLK_TCK);

	return per_s > 0 ? ticks * (1000000000u / (uint64_t)per_s) : 0;
}

static void look_at(
    struct process_tree *tree, struct tree_process *process, uint64_t now_ns)
{
	struct stat_line line;

	if (process->ended)
		return;
	if (!read_stat(tree->root, process->pid, &line) ||
	    line.start != process->start || line.state == 'Z') {
		process->ended = true;
		return;
	}
	process->threads = line.threads;
	process->now.cpu_ns = ticks_to_ns(line.ticks);
	if (line.state == 'D')
		process->now.blocked_ns += now_ns - tree->at_ns;
	if (!read_io(tree->root, process->pid, &process->now) &&
	    read_stat(tree->root, process->pid, &line) && line.state != 'Z')
		tree->io_is_unknown = true;
}

/* ---- the tree ---- */

static int add(
    struct process_tree *tree, uint64_t pid, uint64_t start, struct error *err)
{
	struct tree_process *grown = array_grow(
	    tree->list, &tree->capacity, tree->count + 1, sizeof(*grown), err);

	if (!grown)
		return -1;
	tree->list = grown;
	grown[tree->count++] =
	    (struct tree_process){ .pid = pid, .start = start };
	return 0;
}

static bool is_known(const struct process_tree *tree, uint64_t pid)
{
	for (size_t i = tree->count; i > 0; i--)
		if (tree->list[i - 1].pid == pid && !tree->list[i - 1].ended)
			return true;
	return false;
}

/* Adds children of known processes; returns how many, or -1. */
static int add_children(struct process_tree *tree, DIR *proc, struct error *err)
{
	struct dirent *entry;
	int added = 0;

	rewinddir(proc);
	while ((entry = readdir(proc))) {
		const uint64_t pid = strtoull(entry->d_name, NULL, 10);
		struct stat_line line;

		if (!isdigit((unsigned char)entry->d_name[0]) ||
		    is_known(tree, pid) || !read_stat(tree->root, pid, &line) ||
		    line.state == 'Z' || !is_known(tree, line.parent))
			continue;
		if (add(tree, pid, line.start, err))
			return -1;
		added++;
	}
	return added;
}

/* A child may be listed before its parent, so it is searched until none is new.
 */
static int search(struct process_tree *tree, struct error *err)
{
	char path[4096];
	DIR *proc;
	int added = 1;

	snprintf(path, sizeof(path), "%s/proc", tree->root);
	proc = opendir(path);
	if (!proc)
		return 0;
	while (added > 0)
		added = add_children(tree, proc, err);
	closedir(proc);
	return added;
}

int process_tree_begin(struct process_tree *tree, const char *root,
    uint64_t pid, uint64_t now_ns, struct error *err)
{
	struct stat_line line = { .start = 0 };

	*tree = (struct process_tree){ .root = root,
		.at_ns = now_ns,
		.middle_ns = now_ns,
		.early_ns = now_ns,
		.searched_ns = now_ns };
	if (!read_stat(root, pid, &line))
		return 0; /* it has ended already */
	return add(tree, pid, line.start, err);
}

/* After 2, 4, 8 ... looks, what was the middle is early. */
static void move_window(struct process_tree *tree)
{
	for (size_t i = 0; i < tree->count; i++) {
		struct tree_process *process = &tree->list[i];

		process->early = process->middle;
		process->middle = process->now;
	}
	tree->early_ns = tree->middle_ns;
	tree->middle_ns = tree->at_ns;
}

int process_tree_look(
    struct process_tree *tree, uint64_t now_ns, struct error *err)
{
	if (tree->looks < OFTEN || now_ns - tree->searched_ns >= search_ns) {
		if (search(tree, err))
			return -1;
		tree->searched_ns = now_ns;
	}
	for (size_t i = 0; i < tree->count; i++)
		look_at(tree, &tree->list[i], now_ns);
	tree->at_ns = now_ns;
	tree->looks++;
	if (tree->looks > 1 && (tree->looks & (tree->looks - 1)) == 0)
		move_window(tree);
	return 0;
}

void process_tree_release(struct process_tree *tree)
{
	free(tree->list);
	*tree = (struct process_tree){ .list = NULL };
}

/* ---- the figures ---- */

static struct process_counts since_early(const struct tree_process *process)
{
	const struct process_counts *now = &process->now;
	const struct process_counts *early = &process->early;

	return (struct process_counts){
		.cpu_ns = now->cpu_ns - early->cpu_ns,
		.read_bytes = now->read_bytes - early->read_bytes,
		.storage_bytes = now->storage_bytes - early->storage_bytes,
		.blocked_ns = now->blocked_ns - early->blocked_ns,
	};
}

static void add_counts(
    struct process_counts *sum, const struct process_counts *more)
{
	sum->cpu_ns += more->cpu_ns;
	sum->read_bytes += more->read_bytes;
	sum->storage_bytes += more->storage_bytes;
	sum->blocked_ns += more->blocked_ns;
}

void process_tree_figures(
    const struct process_tree *tree, struct process_tree_figures *figures)
{
	*figures = (struct process_tree_figures){ .time_ns = 0 };
	if (tree->looks < ENOUGH)
		return;
	figures->time_ns = tree->at_ns - tree->early_ns;
	for (size_t i = 0; i < tree->count; i++) {
		const struct process_counts counts =
		    since_early(&tree->list[i]);

		figures->processes += counts.cpu_ns || counts.read_bytes;
		add_counts(&figures->sum, &counts);
	}
	for (size_t i = 0; i < tree->count; i++) {
		const struct process_counts counts =
		    since_early(&tree->list[i]);

		if (!counts.read_bytes ||
		    counts.read_bytes < figures->sum.read_bytes / READERS_PART)
			continue;
		figures->readers++;
		figures->active_ns += counts.cpu_ns + counts.blocked_ns;
		figures->blocked_is_unknown |=
		    counts.storage_bytes && tree->list[i].threads > 1;
	}
}
