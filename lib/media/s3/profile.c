/* profile.c - see profile.h. */
#include "lib/media/s3/profile.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/media/s3/secret.h"

enum { FILE_MOST = 1 << 20 };

static const struct {
	const char *name;
	enum profile_key key;
} keys[] = {
	{ "aws_access_key_id", PROFILE_KEY_ID },
	{ "aws_secret_access_key", PROFILE_SECRET },
	{ "aws_session_token", PROFILE_TOKEN },
	{ "aws_security_token", PROFILE_TOKEN }, /* its older name */
	{ "credential_process", PROFILE_PROCESS },
	{ "endpoint_url", PROFILE_ENDPOINT },
	{ "region", PROFILE_REGION },
	{ "role_arn", PROFILE_ROLE },
	{ "role_session_name", PROFILE_SESSION },
	{ "source_profile", PROFILE_SOURCE },
	{ "sso_session", PROFILE_SSO },
	{ "sso_start_url", PROFILE_SSO },
	{ "web_identity_token_file", PROFILE_TOKEN_FILE },
};

/* ---- one line ---- */

static bool is_blank(unsigned char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static struct span trim(struct span text)
{
	while (text.len && is_blank(text.data[0])) {
		text.data++;
		text.len--;
	}
	while (text.len && is_blank(text.data[text.len - 1]))
		text.len--;
	return text;
}

static struct span first(struct span text, size_t len)
{
	return (struct span){ .data = text.data, .len = len };
}

static struct span behind(struct span text, size_t len)
{
	return (struct span){ .data = text.data + len, .len = text.len - len };
}

static bool is_text(struct span span, const char *text)
{
	return span_equal(span, span_text(text));
}

/* Cuts off the text from a blank that '#' or ';' follows. */
static struct span without_comment(struct span text)
{
	for (size_t i = 0; i + 1 < text.len; i++)
		if (is_blank(text.data[i]) &&
		    (text.data[i + 1] == '#' || text.data[i + 1] == ';'))
			return trim(first(text, i));
	return text;
}

/* Takes "NAME" out of '"NAME"' and "'NAME'". */
static struct span without_quotes(struct span text)
{
	const unsigned char quote = text.len > 1 ? text.data[0] : 0;

	if ((quote != '"' && quote != '\'') || text.data[text.len - 1] != quote)
		return text;
	return first(behind(text, 1), text.len - 2);
}

/* Is "[...]" the section of the profile? */
static bool is_section(
    struct span line, enum profile_file file, const char *name)
{
	static const char word[] = "profile";
	const size_t len = sizeof(word) - 1;
	const unsigned char *end = memchr(line.data, ']', line.len);
	struct span title;

	if (!end)
		return false;
	title = trim(first(behind(line, 1), (size_t)(end - line.data) - 1));
	if (file == PROFILE_OF_CREDENTIALS)
		return is_text(without_quotes(title), name);
	if (title.len > len && memcmp(title.data, word, len) == 0 &&
	    is_blank(title.data[len]))
		return is_text(without_quotes(trim(behind(title, len))), name);
	return strcmp(name, "default") == 0 && is_text(title, name);
}

struct state {
	struct profile *profile;
	struct profile found; /* in this file: the last value of a key counts */
	enum profile_file file;
	const char *name;
	bool is_inside;
	size_t indent; /* before the section's last key; SIZE_MAX: none yet */
};

static int take_value(
    struct state *state, struct span name, struct span value, struct error *err)
{
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		char **to = &state->found.values[keys[i].key];

		if (strlen(keys[i].name) != name.len ||
		    strncasecmp(
		        keys[i].name, (const char *)name.data, name.len) != 0)
			continue;
		secret_free(*to);
		*to = strndup((const char *)value.data, value.len);
		return *to ? 0 : error_memory(err, value.len);
	}
	return 0;
}

static int take_line(struct state *state, struct span line, struct error *err)
{
	const struct span text = trim(line);
	const size_t indent = (size_t)(text.data - line.data);
	size_t at = 0;

	if (!text.len || text.data[0] == '#' || text.data[0] == ';')
		return 0;
	if (text.data[0] == '[' && indent == 0) {
		state->is_inside = is_section(text, state->file, state->name);
		state->profile->is_there |= state->is_inside;
		state->indent = SIZE_MAX;
		return 0;
	}
	/* A line that is indented further belongs to the key above. */
	if (!state->is_inside || indent > state->indent)
		return 0;
	state->indent = indent;
	while (at < text.len && text.data[at] != '=' && text.data[at] != ':')
		at++;
	if (at == text.len)
		return 0;
	return take_value(state, trim(first(text, at)),
	    without_comment(trim(behind(text, at + 1))), err);
}

/* ---- a file ---- */

/*
 * Moves what is not set yet.  The three parts of a key come from one file: the
 * token of one does not fit to the key of another.
 */
static void merge(struct profile *profile, struct profile *found)
{
	const bool has_key = profile->values[PROFILE_KEY_ID] != NULL;

	for (size_t i = has_key ? PROFILE_TOKEN + 1 : 0; i < PROFILE_KEYS; i++)
		if (!profile->values[i] && found->values[i] &&
		    *found->values[i]) {
			profile->values[i] = found->values[i];
			found->values[i] = NULL;
		}
}

int profile_parse(struct profile *profile, struct span text,
    enum profile_file file, const char *name, struct error *err)
{
	static const unsigned char mark[] = { 0xef, 0xbb, 0xbf };
	struct state state = { .profile = profile,
		.file = file,
		.name = name,
		.indent = SIZE_MAX };
	int rc = 0;

	if (text.len >= sizeof(mark) &&
	    memcmp(text.data, mark, sizeof(mark)) == 0)
		text = behind(text, sizeof(mark));
	while (text.len && rc == 0) {
		const unsigned char *end = memchr(text.data, '\n', text.len);
		const size_t len = end ? (size_t)(end - text.data) : text.len;

		rc = take_line(&state, first(text, len), err);
		text = behind(text, end ? len + 1 : len);
	}
	merge(profile, &state.found);
	profile_release(&state.found);
	return rc;
}

bool profile_name(const char **name)
{
	const char *asked = getenv("AWS_PROFILE");

	if (!asked || !*asked)
		asked = getenv("AWS_DEFAULT_PROFILE"); /* its older name */
	*name = asked && *asked ? asked : "default";
	return asked && *asked;
}

/* Returns the path of a file, owned; NULL without an error: there is none. */
static char *place_of(
    const char *variable, const char *below_home, struct error *err)
{
	const char *path = getenv(variable), *home = getenv("HOME");

	if (path && *path) {
		if (path[0] == '~' && path[1] == '/' && home)
			return path_join(home, path + 2, err);
		return path_join(".", path, err);
	}
	return home && *home ? path_join(home, below_home, err) : NULL;
}

static int read_file(struct profile *profile, enum profile_file file,
    const char *name, struct error *err)
{
	const bool is_config = file == PROFILE_OF_CONFIG;
	struct buf text = BUF_INIT;
	struct stat status;
	int rc = 0;
	char *path = place_of(
	    is_config ? "AWS_CONFIG_FILE" : "AWS_SHARED_CREDENTIALS_FILE",
	    is_config ? ".aws/config" : ".aws/credentials", err);

	if (!path)
		return err->code ? -1 : 0;
	/* Some name /dev/null, so that no file counts. */
	if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
		rc = path_read(path, FILE_MOST, &text, err);
		if (rc == 0)
			rc = profile_parse(
			    profile, buf_span(&text), file, name, err);
	}
	secret_release(&text);
	free(path);
	return rc;
}

int profile_read(struct profile *profile, struct error *err)
{
	const char *name;

	profile_name(&name);
	if (read_file(profile, PROFILE_OF_CREDENTIALS, name, err))
		return -1;
	return read_file(profile, PROFILE_OF_CONFIG, name, err);
}

void profile_release(struct profile *profile)
{
	for (size_t i = 0; i < PROFILE_KEYS; i++)
		secret_free(profile->values[i]);
	*profile = (struct profile){ .is_there = false };
}
