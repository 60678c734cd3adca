/* plan_print.c - see plan_file.h: writes plans. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/option.h"
#include "strategies/planfile/plan_file.h"
#include "strategies/planfile/plan_rows.h"

#define NO_SEAL "0000000000000000"

static const char line_of_seal[] = "\nseal = " NO_SEAL "\n";

/* ---- the sections of the plan ---- */

static int print_real(
    struct buf *out, const char *name, double value, struct error *err)
{
	if (isnan(value))
		return 0;
	return buf_printf(out, err,
	    value >= 1000 ? "%s = %.0f\n" : "%s = %.6g\n", name, value);
}

static int print_text(
    struct buf *out, const char *name, const char *text, struct error *err)
{
	return buf_printf(out, err, "%s = ", name) ||
	               ini_print_value(text, out, err) ||
	               buf_printf(out, err, "\n")
	           ? -1
	           : 0;
}

/* Prints what is known: no missing text, no 0, no NAN. */
static int print_row(struct buf *out, const struct option *row,
    const void *values, struct error *err)
{
	const unsigned char *at = (const unsigned char *)values + row->offset;
	const char *text;
	uint64_t number;
	double real;

	switch (row->type) {
	case OPTION_REAL:
		memcpy(&real, at, sizeof(real));
		return print_real(out, row->name, real, err);
	case OPTION_UINT:
		memcpy(&number, at, sizeof(number));
		return number ? buf_printf(out, err, "%s = %llu\n", row->name,
		                    (unsigned long long)number)
		              : 0;
	default:
		memcpy(&text, at, sizeof(text));
		return text && *text ? print_text(out, row->name, text, err)
		                     : 0;
	}
}

static int print_rows(struct buf *out, const struct option *rows,
    const void *values, struct error *err)
{
	for (; rows->name; rows++)
		if (print_row(out, rows, values, err))
			return -1;
	return 0;
}

static int print_part(struct buf *out, const struct plan_part *part,
    const struct plan_file *plan, struct error *err)
{
	if (buf_printf(out, err, "\n[%s]\n", part->name))
		return -1;
	return print_rows(out, part->rows, plan, err);
}

static int print_rivals(
    struct buf *out, const struct plan_file *plan, struct error *err)
{
	for (unsigned i = 0; i < plan->rival_count; i++)
		if (buf_printf(
		        out, err, "\n[" PLAN_RUNNER_UP " %u]\n", i + 1) ||
		    print_rows(out, plan_rival_rows, &plan->rivals[i], err))
			return -1;
	return 0;
}

/* Prints a line "NAME: CODE" as a key. */
static int print_code_line(
    struct buf *out, const char *line, size_t len, struct error *err)
{
	char *name = strndup(line, len);
	char *code = name ? strchr(name, ':') : NULL;
	int rc = name ? 0 : error_memory(err, len);

	if (code) {
		*code++ = '\0';
		rc = print_text(out, name, code + strspn(code, " "), err);
	}
	free(name);
	return rc;
}

/* Prints what code_print says. */
static int print_code(struct buf *out, const char *code, struct error *err)
{
	if (!code || !*code)
		return 0;
	if (buf_printf(out, err, "\n[" PLAN_CODE "]\n"))
		return -1;
	while (*code) {
		const size_t len = strcspn(code, "\n");

		if (print_code_line(out, code, len, err))
			return -1;
		code += len + (code[len] == '\n');
	}
	return 0;
}

/* Was the key set on a command line, where its paths began elsewhere? */
static bool has_folder(const struct ini_section *section,
    const struct ini_entry *entry, const char *base)
{
	static const char *const with_paths[] = { "dataset", "pipeline",
		"python", NULL };
	const char *const *name = with_paths;

	if (entry->line || !entry->folder)
		return false;
	while (*name && strcmp(*name, section->name) != 0)
		name++;
	if (!*name && strcmp(entry->key, "loader") != 0)
		return false;
	/* A path that was set is more than one that was written (dataset.c). */
	return strcmp(entry->key, "path") == 0 || !base ||
	       strcmp(entry->folder, base) != 0;
}

static int print_folders(
    struct buf *out, const struct ini *pipeline, struct error *err)
{
	bool is_first = true;

	for (size_t s = 0; s < pipeline->count; s++)
		for (size_t i = 0; i < pipeline->sections[s].count; i++) {
			const struct ini_section *section =
			    &pipeline->sections[s];
			const struct ini_entry *entry = &section->entries[i];

			if (!has_folder(section, entry, pipeline->folder))
				continue;
			if ((is_first && buf_printf(out, err,
			                     "\n[" PLAN_FOLDERS "]\n")) ||
			    buf_printf(out, err, "%s.", section->name) ||
			    print_text(out, entry->key, entry->folder, err))
				return -1;
			is_first = false;
		}
	return 0;
}

/* ---- the whole file ---- */

static int print_all(const struct plan_file *plan, const struct ini *pipeline,
    struct buf *out, struct error *err)
{
	if (buf_printf(out, err,
	        "# The plan of presto recommend for %s: %s.\n"
	        "# presto materialize --plan writes it, presto verify tells "
	        "whether it still wins,\n"
	        "# and presto.Loader opens it.  The manual is "
	        "presto.plan(5).\n",
	        plan->pipeline ? plan->pipeline : "a dataset",
	        plan->strategy) ||
	    print_part(out, &plan_parts[0], plan, err) ||
	    buf_printf(out, err, "\n") || ini_print(pipeline, out, err))
		return -1;
	for (size_t i = 1; i < PLAN_PARTS; i++) {
		if (print_part(out, &plan_parts[i], plan, err))
			return -1;
		if (i == 1 && print_rivals(out, plan, err))
			return -1;
	}
	if (print_code(out, plan->code, err))
		return -1;
	return print_folders(out, pipeline, err);
}

/* Is each section of the pipeline read as it was meant? */
static int check_same(
    const struct ini *meant, const struct ini *got, struct error *err)
{
	for (size_t i = 0; i < meant->count; i++) {
		const struct ini_section *section = &meant->sections[i];

		for (size_t k = 0; k < section->count; k++) {
			const struct ini_entry *entry = &section->entries[k];
			const struct ini_entry *same = ini_entry(
			    ini_section(got, section->name), entry->key);

			if (!same || strcmp(same->value, entry->value) != 0)
				return error_set(err, ERROR_USAGE,
				    "%s.%s = %s cannot be one line of a plan",
				    section->name, entry->key, entry->value);
		}
	}
	return 0;
}

/* Reads what was printed, and sets its seal. */
static int seal(
    struct buf *out, size_t from, const struct ini *pipeline, struct error *err)
{
	char *text = (char *)out->data + from, *at;
	struct ini ini = INI_INIT;
	char hash[PLAN_HASH];
	int rc = ini_parse_text(&ini, "the plan", text, out->len - from, err);

	if (rc == 0)
		rc = check_same(pipeline, &ini, err);
	at = rc == 0 ? strstr(text, line_of_seal) : NULL;
	if (at) {
		snprintf(hash, sizeof(hash), "%016llx",
		    (unsigned long long)plan_seal(&ini));
		memcpy(strstr(at, NO_SEAL), hash, PLAN_HASH - 1);
	}
	ini_release(&ini);
	return rc;
}

int plan_file_print(const struct plan_file *plan, const struct ini *pipeline,
    struct buf *out, struct error *err)
{
	struct plan_file sealed = *plan;
	const size_t from = out->len;

	sealed.version = PLAN_FILE_VERSION;
	sealed.seal = NO_SEAL;
	if (print_all(&sealed, pipeline, out, err))
		return -1;
	return seal(out, from, pipeline, err);
}
