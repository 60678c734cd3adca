/*
 * credentials_far.c - see credentials.h: credentials that another service gives
 * out, with an end.
 *
 * Their answers are never part of a message.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/url.h"
#include "lib/media/http/request.h"
#include "lib/media/s3/address.h"
#include "lib/media/s3/answers.h"
#include "lib/media/s3/credentials.h"
#include "lib/media/s3/profile.h"
#include "lib/media/s3/secret.h"
#include "lib/syntax/json.h"

enum {
	SHORT_MS = 1000, /* an instance answers in a few milliseconds */
	LONG_MS = 5000,
	TOKEN_MOST = 1 << 16,
};

static const char *word(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value ? value : NULL;
}

/* ---- JSON, as containers, instances and programs answer ---- */

static const struct credentials_form by_service = { .token = "Token" };
const struct credentials_form credentials_by_program = {
	.token = "SessionToken", .version = 1
};

static struct credentials *read_members(const struct credentials_form *form,
    struct json_t *root, const char *source, struct error *err)
{
	const char *key, *secret, *token = NULL, *end = NULL;
	struct credentials *made;
	uint64_t version = 0;

	if ((form->version && json_get_uint(root, "Version", &version, err)) ||
	    version != (uint64_t)form->version ||
	    json_get_text(root, "AccessKeyId", &key, err) ||
	    json_get_text(root, "SecretAccessKey", &secret, err) ||
	    (json_has(root, form->token) &&
	        json_get_text(root, form->token, &token, err)) ||
	    (json_has(root, "Expiration") &&
	        (json_get_text(root, "Expiration", &end, err) ||
	            s3_time_parse(end) < 0)))
		return NULL;
	made = credentials_new(key, secret, token, source, err);
	if (made) {
		made->expires_s = end ? s3_time_parse(end) : -1;
		made->is_renewable = true;
	}
	return made;
}

struct credentials *credentials_read(const struct credentials_form *form,
    struct span text, const char *source, struct error *err)
{
	struct error why = ERROR_INIT;
	struct credentials *made = NULL;
	struct json_doc doc;

	/* A parser's message could show a part of a secret. */
	if (json_doc_parse(&doc, source, text, &why) == 0) {
		made = read_members(form, doc.root, source, &why);
		json_doc_release(&doc);
	}
	if (!made)
		error_set(err, ERROR_DATA,
		    "%s: the answer has no credentials that presto can read",
		    source);
	return made;
}

/* ---- web identity ---- */

/* Appends "NAME=VALUE" of a form. */
static int add_field(
    struct buf *form, const char *name, const char *value, struct error *err)
{
	if (form->len && buf_append(form, "&", 1, err))
		return -1;
	if (buf_printf(form, err, "%s=", name))
		return -1;
	return s3_encode(value, false, form, err);
}

static int make_form(struct buf *form, const char *role, const char *session,
    const char *file, struct error *err)
{
	struct buf token = BUF_INIT;
	int rc = path_read(file, TOKEN_MOST, &token, err);

	while (rc == 0 && token.len && token.data[token.len - 1] <= ' ')
		token.len--;
	if (rc == 0)
		rc = buf_printf(&token, err, "%s", "");
	if (rc == 0)
		rc = buf_printf(form, err,
		    "Action=AssumeRoleWithWebIdentity&Version=2011-06-15");
	if (rc == 0 && (add_field(form, "RoleArn", role, err) ||
	                   add_field(form, "RoleSessionName", session, err) ||
	                   add_field(form, "WebIdentityToken",
	                       (const char *)token.data, err)))
		rc = -1;
	secret_release(&token);
	return rc;
}

static int ask_sts(const struct credentials_search *search,
    const struct buf *form, struct credentials **found, struct error *err)
{
	const char *own = word("AWS_ENDPOINT_URL_STS");
	struct http_request request = { .method = "POST",
		.headers = { "Content-Type: "
		             "application/x-www-form-urlencoded" },
		.body = buf_span(form),
		.retries = true, /* it gives out other keys, which do no harm */
		.answer_ms = LONG_MS };
	struct http_response response = HTTP_RESPONSE_INIT;
	struct s3_role_keys keys;
	char url[512];
	int rc;

	if (!own)
		own = search->endpoint;
	if (own)
		snprintf(url, sizeof(url), "%.500s", own);
	else
		snprintf(url, sizeof(url), "https://sts.%s.amazonaws.com/",
		    search->region);
	request.url = url;
	rc = http_perform(search->pool, &request, &response, err);
	if (rc == 0) {
		rc = s3_role_read(buf_span(&response.body), &keys, err);
		if (rc == 0)
			*found = credentials_new(keys.key, keys.secret,
			    keys.token, "the role of a web identity", err);
		if (*found) {
			(*found)->expires_s = keys.expires_s;
			(*found)->is_renewable = true;
		}
		secret_wipe(&keys, sizeof(keys));
	}
	secret_wipe(response.body.data, response.body.cap);
	http_response_release(&response);
	return rc == 0 && *found ? 1 : -1;
}

int credentials_of_role(const struct credentials_search *search,
    struct credentials **found, struct error *err)
{
	char *const *values = search->profile->values;
	const char *file = word("AWS_WEB_IDENTITY_TOKEN_FILE");
	const char *role = word("AWS_ROLE_ARN");
	const char *session = word("AWS_ROLE_SESSION_NAME");
	struct buf form = BUF_INIT;
	int rc = -1;

	if (!file || !role) {
		file = values[PROFILE_TOKEN_FILE];
		role = values[PROFILE_ROLE];
		session = values[PROFILE_SESSION];
	}
	if (!file || !role)
		return 0;
	if (make_form(&form, role, session ? session : "presto", file, err) ==
	    0)
		rc = ask_sts(search, &form, found, err);
	secret_release(&form);
	return rc < 0 ? error_prefix(err, "role of a web identity") : rc;
}

/* ---- containers ---- */

/* May a token be sent there?  Only to this machine, or over TLS. */
static bool is_safe(const char *url)
{
	static const char *const hosts[] = { "localhost", "[::1]",
		"169.254.170.2", "169.254.170.23", "[fd00:ec2::23]" };
	const char *host = url + strlen("http://");
	size_t len;

	if (url_has_user(url) || !url_is(url) || *url != 'h')
		return false;
	if (strncmp(url, "https://", 8) == 0)
		return true;
	len = strcspn(host, *host == '[' ? "]" : ":/?#");
	if (*host == '[' && host[len])
		len++;
	if (strncmp(host, "127.", 4) == 0)
		return strspn(host, "0123456789.") == len;
	for (size_t i = 0; i < ARRAY_LEN(hosts); i++)
		if (strlen(hosts[i]) == len &&
		    strncmp(host, hosts[i], len) == 0)
			return true;
	return false;
}

/* Writes the header with the token of a container; 1, 0: it needs none. */
static int authorize(struct buf *header, struct error *err)
{
	const char *file = word("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");
	const char *token = word("AWS_CONTAINER_AUTHORIZATION_TOKEN");

	if (!file && !token)
		return 0;
	if (buf_printf(header, err, "Authorization: "))
		return -1;
	if (!file)
		return buf_printf(header, err, "%s", token) ? -1 : 1;
	if (path_read(file, TOKEN_MOST, header, err))
		return -1;
	if (buf_printf(header, err, "%s", ""))
		return -1;
	header->len = strcspn((char *)header->data, "\r\n");
	header->data[header->len] = '\0';
	return 1;
}

int credentials_of_container(const struct credentials_search *search,
    struct credentials **found, struct error *err)
{
	static const char source[] = "the role of the container";
	const char *below = word("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
	const char *whole = word("AWS_CONTAINER_CREDENTIALS_FULL_URI");
	struct http_request request = {
		.method = "GET", .retries = true, .answer_ms = LONG_MS
	};
	struct http_response response = HTTP_RESPONSE_INIT;
	struct buf header = BUF_INIT;
	char url[512];
	int rc;

	if (!below && !whole)
		return 0;
	if (below)
		snprintf(url, sizeof(url), "http://169.254.170.2%.400s", below);
	else
		snprintf(url, sizeof(url), "%.500s", whole);
	request.url = url;
	if (!is_safe(url))
		return error_set(err, ERROR_USAGE,
		    "AWS_CONTAINER_CREDENTIALS_FULL_URI must be https, or an "
		    "address of this machine");
	rc = authorize(&header, err);
	if (rc > 0)
		request.headers[0] = (const char *)header.data;
	if (rc >= 0)
		rc = http_perform(search->pool, &request, &response, err);
	if (rc == 0)
		*found = credentials_read(
		    &by_service, buf_span(&response.body), source, err);
	secret_wipe(response.body.data, response.body.cap);
	http_response_release(&response);
	secret_release(&header);
	return *found ? 1 : error_prefix(err, "%s", source);
}

/* ---- instances ---- */

/*
 * Asks the metadata of the instance.  1 with the body, ended by a NUL, 0: there
 * is no such service here, or it has no such thing.
 */
static int ask_instance(const struct credentials_search *search,
    const char *method, const char *path, const char *header,
    struct http_response *response)
{
	const char *own = word("AWS_EC2_METADATA_SERVICE_ENDPOINT");
	struct http_request request = {
		.method = method, .headers = { header }, .answer_ms = SHORT_MS
	};
	struct error ignored = ERROR_INIT;
	size_t len;
	char url[512];

	if (!own)
		own = "http://169.254.169.254";
	len = strlen(own);
	snprintf(url, sizeof(url), "%.*s%.300s",
	    (int)(len && own[len - 1] == '/' ? len - 1 : len), own, path);
	request.url = url;
	if (http_perform(search->pool, &request, response, &ignored) ||
	    buf_printf(&response->body, &ignored, "%s", ""))
		return 0;
	return response->body.len > 0;
}

static void forget(struct http_response *response)
{
	secret_wipe(response->body.data, response->body.cap);
	http_response_release(response);
}

int credentials_of_instance(const struct credentials_search *search,
    struct credentials **found, struct error *err)
{
	static const char roles[] =
	    "/latest/meta-data/iam/security-credentials/";
	struct http_response token = HTTP_RESPONSE_INIT;
	struct http_response role = HTTP_RESPONSE_INIT;
	struct http_response answer = HTTP_RESPONSE_INIT;
	char header[1200], path[300];
	int rc = 0;

	if (credentials_is_yes("AWS_EC2_METADATA_DISABLED"))
		return 0;
	if (ask_instance(search, "PUT", "/latest/api/token",
	        "X-aws-ec2-metadata-token-ttl-seconds: 21600", &token) == 0)
		goto done;
	snprintf(header, sizeof(header), "X-aws-ec2-metadata-token: %.1024s",
	    (const char *)token.body.data);
	if (ask_instance(search, "GET", roles, header, &role) == 0)
		goto done;
	snprintf(path, sizeof(path), "%s%.*s", roles,
	    (int)strcspn((const char *)role.body.data, "\r\n"),
	    (const char *)role.body.data);
	if (ask_instance(search, "GET", path, header, &answer) == 0)
		goto done;
	*found = credentials_read(&by_service, buf_span(&answer.body),
	    "the role of the instance", err);
	rc = *found ? 1 : -1;
done:
	secret_wipe(header, sizeof(header));
	forget(&answer);
	forget(&role);
	forget(&token);
	return rc;
}
