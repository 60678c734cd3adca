/*
 * recommend_parts.h - what presto recommend found, and who prints it: text and
 * Markdown in recommend_text.c, JSON in recommend_json.c.
 */
#ifndef CMD_RECOMMEND_PARTS_H
#define CMD_RECOMMEND_PARTS_H

struct advice;
struct error;
struct grid;
struct ranking;
struct recommend_page;
struct request;
struct sensitivity;

/* All borrowed. */
struct findings {
	const struct recommend_page *page;
	const struct ranking *ranking;
	const struct advice *advice;
	const struct request *request;
	const struct sensitivity *sensitivity;
	const struct grid *rows; /* of the ranking */
	const struct grid *told; /* "text": warnings while profiling */
	const char *command;     /* that comes next; NULL: none */
};

/* A line "  NAME   TEXT", or "- NAME: TEXT" in Markdown. */
void recommend_say(const struct findings *f, const char *name,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The lines about money, and about when another strategy would win. */
void recommend_say_cost(const struct findings *f);
void recommend_say_sensitivity(const struct findings *f);

int recommend_text(const struct findings *f, struct error *err);
int recommend_json(const struct findings *f, struct error *err);

#endif
