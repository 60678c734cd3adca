/* answer.c - see answer.h. */
#include "lib/media/http/answer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "lib/base/array.h"
#include "lib/base/error.h"

enum { DIGITS_MOST = 18, LINE_MOST = 1024 };

void answer_forget(struct http_response *response)
{
	const struct buf body = response->body;
	const unsigned attempts = response->attempts;

	*response = (struct http_response)HTTP_RESPONSE_INIT;
	response->body = body;
	response->attempts = attempts;
}

/* Reads digits at *at and moves *at behind them; false: no number there. */
static bool take_number(const char **at, uint64_t *number)
{
	const size_t len = strspn(*at, "0123456789");

	if (len == 0 || len > DIGITS_MOST)
		return false;
	*number = 0;
	for (size_t i = 0; i < len; i++)
		*number = 10 * *number + (uint64_t)((*at)[i] - '0');
	*at += len;
	return true;
}

static bool take_char(const char **at, char c)
{
	if (**at != c)
		return false;
	(*at)++;
	return true;
}

/* "bytes 0-99/1234", with a star in place of the range or of the total. */
static void read_content_range(struct http_response *response, const char *at)
{
	uint64_t first = 0, last = 0, total = 0;
	bool has_range, has_total;

	if (strncasecmp(at, "bytes", 5) != 0)
		return;
	at += 5;
	at += strspn(at, " =\t");
	has_range = take_number(&at, &first);
	if (has_range && (!take_char(&at, '-') || !take_number(&at, &last)))
		return;
	if ((!has_range && !take_char(&at, '*')) || !take_char(&at, '/'))
		return;
	has_total = take_number(&at, &total);
	if ((!has_total && !take_char(&at, '*')) || *at != '\0')
		return;
	if (has_range && (last < first || (has_total && last >= total)))
		return;
	response->has_range = has_range;
	response->first = first;
	response->last = last;
	response->has_total = has_total;
	response->total = total;
}

/* Days from 1970 to a date; Howard Hinnant's civil calendar. */
static int64_t days_until(int64_t year, int64_t month, int64_t day)
{
	const int64_t y = month <= 2 ? year - 1 : year;
	const int64_t era = y / 400, of_era = y - era * 400;
	const int64_t of_year =
	    (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 +
	       of_year - 719468;
}

/* Reads "Wed, 21 Oct 2015 07:28:00 GMT" as seconds since 1970; -1: it is none.
 */
static int64_t read_date(const char *text)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	int day, year, hour, minute, second;
	char month[4] = "";
	const char *found;

	if (sscanf(text, "%*3s, %2d %3s %4d %2d:%2d:%2d GMT", &day, month,
	        &year, &hour, &minute, &second) != 6)
		return -1;
	found = strstr(months, month);
	if (!found || strlen(month) != 3 || (found - months) % 3 != 0 ||
	    year < 1970 || day < 1 || day > 31 || hour < 0 || minute < 0 ||
	    second < 0)
		return -1;
	return days_until(year, (found - months) / 3 + 1, day) * 86400 +
	       hour * 3600 + minute * 60 + second;
}

static void read_retry_after(
    struct http_response *response, const char *value, int64_t now_s)
{
	const char *at = value;
	uint64_t seconds;
	int64_t date;

	if (take_number(&at, &seconds) && *at == '\0') {
		response->retry_after_s = (int64_t)seconds;
		return;
	}
	date = read_date(value);
	if (date >= 0)
		response->retry_after_s = date > now_s ? date - now_s : 0;
}

static void copy_value(char *to, size_t size, const char *value)
{
	if (strlen(value) < size)
		snprintf(to, size, "%s", value);
}

/* An ETag that does not fit is still compared: by its beginning and a sum. */
static void copy_etag(char to[HTTP_VERSION_TEXT], const char *value)
{
	uint64_t sum = 5381;

	if (strlen(value) < HTTP_VERSION_TEXT) {
		snprintf(to, HTTP_VERSION_TEXT, "%s", value);
		return;
	}
	for (const char *c = value; *c; c++)
		sum = sum * 33 + (unsigned char)*c;
	/* Marked as weak, so that it is never sent back. */
	snprintf(to, HTTP_VERSION_TEXT, "W/%.40s...%016" PRIx64, value, sum);
}

static void read_header(struct http_response *response,
    const struct http_request *request, const char *name, const char *value,
    int64_t now_s)
{
	if (strcasecmp(name, "etag") == 0)
		copy_etag(response->etag, value);
	else if (strcasecmp(name, "last-modified") == 0) {
		copy_value(response->last_modified,
		    sizeof(response->last_modified), value);
		response->modified_s = read_date(value);
	} else if (strcasecmp(name, "date") == 0)
		response->date_s = read_date(value);
	else if (strcasecmp(name, "content-encoding") == 0)
		copy_value(
		    response->encoding, sizeof(response->encoding), value);
	else if (strcasecmp(name, "content-length") == 0)
		response->has_length =
		    take_number(&value, &response->length) && *value == '\0';
	else if (strcasecmp(name, "transfer-encoding") == 0)
		response->is_chunked = strcasecmp(value, "chunked") == 0;
	else if (strcasecmp(name, "content-range") == 0)
		read_content_range(response, value);
	else if (strcasecmp(name, "retry-after") == 0)
		read_retry_after(response, value, now_s);
	for (size_t i = 0; i < HTTP_WANTED; i++)
		if (request->wanted[i] &&
		    strcasecmp(name, request->wanted[i]) == 0)
			copy_value(response->wanted[i],
			    sizeof(response->wanted[i]), value);
}

/* "HTTP/1.1 206 Partial Content" */
static bool read_status(struct http_response *response, const char *line)
{
	uint64_t status = 0;
	const char *at;

	if (strncmp(line, "HTTP/", 5) != 0)
		return false;
	answer_forget(response);
	at = line + strcspn(line, " ");
	at += strspn(at, " ");
	if (take_number(&at, &status) && status < 1000)
		response->status = (long)status;
	return true;
}

void answer_line(struct http_response *response,
    const struct http_request *request, struct span line, int64_t now_s)
{
	char text[LINE_MOST];
	size_t len = line.len;
	char *value;

	while (len > 0 && strchr("\r\n \t", line.data[len - 1]))
		len--;
	if (len == 0 || len >= sizeof(text) || memchr(line.data, 0, len))
		return;
	memcpy(text, line.data, len);
	text[len] = '\0';
	if (read_status(response, text))
		return;
	value = strchr(text, ':');
	if (!value)
		return;
	*value++ = '\0';
	value += strspn(value, " \t");
	read_header(response, request, text, value, now_s);
}

int answer_check_range(const struct http_request *request,
    const struct http_response *response, struct error *err)
{
	const uint64_t first = response->first, last = response->last;

	if (!response->has_range)
		return error_set(err, ERROR_DATA,
		    "the answer to a range does not say which bytes it has");
	/* A shorter range is right only at the end of the object. */
	if (first != request->first || last > request->last ||
	    (last < request->last &&
	        (!response->has_total || last + 1 != response->total)))
		return error_set(err, ERROR_DATA,
		    "asked for bytes %" PRIu64 " to %" PRIu64
		    ", the answer has %" PRIu64 " to %" PRIu64,
		    request->first, request->last, first, last);
	if (response->has_length && response->length != last - first + 1)
		return error_set(err, ERROR_DATA,
		    "the answer says it has bytes %" PRIu64 " to %" PRIu64
		    ", and a length of %" PRIu64,
		    first, last, response->length);
	return 0;
}

void answer_version(
    const struct http_response *response, char version[HTTP_VERSION_TEXT])
{
	const bool is_settled =
	    response->modified_s >= 0 &&
	    response->date_s - response->modified_s >= ANSWER_SETTLED_S;

	if (response->etag[0] || is_settled || !response->last_modified[0])
		snprintf(version, HTTP_VERSION_TEXT, "%s",
		    response->etag[0] ? response->etag
		                      : response->last_modified);
	else
		snprintf(version, HTTP_VERSION_TEXT, "W/%.70s",
		    response->last_modified);
}

const char *answer_words(long status)
{
	static const struct {
		long status;
		const char *words;
	} all[] = {
		{ 400, "bad request" },
		{ 401, "it needs a user and password: see ~/.netrc" },
		{ 403, "forbidden" },
		{ 404, "not found" },
		{ 405, "method not allowed" },
		{ 407, "the proxy needs a user and password" },
		{ 408, "the server waited too long" },
		{ 410, "gone" },
		{ 412, "it was changed meanwhile" },
		{ 416, "no such range of bytes" },
		{ 429, "too many requests" },
		{ 500, "the server failed" },
		{ 501, "the server cannot do that" },
		{ 502, "bad gateway" },
		{ 503, "the server is overloaded" },
		{ 504, "the gateway waited too long" },
	};

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		if (all[i].status == status)
			return all[i].words;
	return "";
}
