/* test_s3_answers.c - the XML of S3: lists, uploads, errors, hostile ones. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/s3/answers.h"
#include "test/unit/test.h"

/* Notes "NAME SIZE VERSION;". */
static int note(void *arg, const char *name, const struct medium_status *status,
    struct error *err)
{
	return buf_printf(arg, err, "%s %llu %s;", name,
	    (unsigned long long)status->bytes, status->version);
}

static int read_page(const char *text, const char *prefix, struct buf *notes,
    struct s3_page *page, struct error *err)
{
	*page =
	    (struct s3_page){ .prefix = prefix, .visit = note, .arg = notes };
	return s3_page_read(span_text(text), page, err);
}

#define LIST(inside) "<ListBucketResult>" inside "</ListBucketResult>"

static void test_s3_page_has_names_sizes_and_versions(void **state)
{
	static const struct {
		const char *page, *notes, *token;
	} cases[] = {
		{ LIST("<IsTruncated>false</IsTruncated>"), "", "" },
		{ LIST("<Contents><Key>in/a</Key><Size>5</Size>"
		       "<ETag>&quot;e1&quot;</ETag></Contents>"
		       "<Contents><Key>in/b/c</Key><Size>0</Size></Contents>"),
		    "a 5 \"e1\";b/c 0 ;", "" },
		/* Folders that a program has made, and the prefix itself. */
		{ LIST("<Contents><Key>in/</Key><Size>0</Size></Contents>"
		       "<Contents><Key>in/x/</Key><Size>0</Size></Contents>"
		       "<Contents><Key>in/y</Key><Size>1</Size></Contents>"),
		    "y 1 ;", "" },
		{ LIST("<Contents><Key>in/a%20b%2Bc+d</Key><Size>1</Size>"
		       "</Contents><EncodingType>url</EncodingType>"
		       "<IsTruncated>true</IsTruncated>"
		       "<NextContinuationToken>t/1=</NextContinuationToken>"),
		    "a b+c d 1 ;", "t/1=" },
		{ LIST("<Contents><Key>in/a%20b</Key><Size>1</Size>"
		       "</Contents>"),
		    "a%20b 1 ;", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct buf notes = BUF_INIT;
		struct s3_page page;

		test_ok(buf_printf(&notes, &err, "%s", ""), &err);
		test_ok(
		    read_page(cases[i].page, "in/", &notes, &page, &err), &err);
		assert_string_equal((char *)notes.data, cases[i].notes);
		assert_string_equal(page.token, cases[i].token);
		buf_release(&notes);
	}
}

static void test_s3_page_that_lies_is_refused(void **state)
{
	static const struct {
		const char *page, *words;
	} cases[] = {
		{ LIST("<Contents><Key>out/a</Key><Size>5</Size></Contents>"),
		    "does not begin with 'in/'" },
		{ LIST("<Contents><Key>in/a</Key></Contents>"),
		    "'a' without a size" },
		{ LIST("<Contents><Key>in/a</Key><Size>-1</Size></Contents>"),
		    "'a' without a size" },
		{ LIST("<IsTruncated>true</IsTruncated>"),
		    "without a token for the next" },
		{ LIST("<EncodingType>url</EncodingType><Contents><Key>in%2Fa"
		       "%00</Key><Size>1</Size></Contents>"),
		    "wrong escape" },
		{ "<html><body>hello</body></html>", "sent no list of keys" },
		{ "<Other/>", "sent no list of keys" },
		{ "<!DOCTYPE x><ListBucketResult/>", "document type" },
		{ "", "empty" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct buf notes = BUF_INIT;
		struct s3_page page;

		assert_int_equal(
		    read_page(cases[i].page, "in/", &notes, &page, &err), -1);
		assert_int_equal(err.code, ERROR_DATA);
		test_contains(err.text, cases[i].words);
		buf_release(&notes);
	}
}

static void test_s3_refusal_is_read_and_harmless(void **state)
{
	struct s3_refusal refusal;

	(void)state;
	s3_refusal_read(span_text("<Error><Code>PermanentRedirect</Code>"
	                          "<Message>go\x20&#x1b0;there</Message>"
	                          "<Region>eu-west-1</Region></Error>"),
	    &refusal);
	assert_string_equal(refusal.code, "PermanentRedirect");
	assert_string_equal(refusal.region, "eu-west-1");
	s3_refusal_read(span_text("<ErrorResponse><Error><Code>ExpiredToken"
	                          "</Code></Error></ErrorResponse>"),
	    &refusal);
	assert_string_equal(refusal.code, "ExpiredToken");
	s3_refusal_read(
	    span_text("<Error><Code>two words</Code></Error>"), &refusal);
	assert_string_equal(refusal.code, "");
	s3_refusal_read(span_text("<Error><Code>X</Code><Region>evil.example/"
	                          "</Region></Error>"),
	    &refusal);
	assert_string_equal(refusal.region, "");
	s3_refusal_read(span_text("404 page not found"), &refusal);
	assert_string_equal(refusal.code, "");
}

static void test_s3_uploads_are_begun_and_completed(void **state)
{
	struct error err = ERROR_INIT;
	char id[S3_UPLOAD_TEXT];
	bool again;

	(void)state;
	test_ok(s3_upload_read(
	            span_text("<InitiateMultipartUploadResult xmlns=\"x:\">"
	                      "<UploadId>u-1</UploadId>"
	                      "</InitiateMultipartUploadResult>"),
	            id, &err),
	    &err);
	assert_string_equal(id, "u-1");
	assert_int_equal(
	    s3_upload_read(
	        span_text("<InitiateMultipartUploadResult/>"), id, &err),
	    -1);
	test_ok(s3_complete_read(
	            span_text("\n  \n<CompleteMultipartUploadResult/>"), &again,
	            &err),
	    &err);
	assert_int_equal(
	    s3_complete_read(
	        span_text("<Error><Code>InternalError</Code></Error>"), &again,
	        &err),
	    -1);
	assert_true(again);
	test_contains(err.text, "InternalError");
	assert_int_equal(
	    s3_complete_read(
	        span_text("<Error><Code>AccessDenied</Code></Error>"), &again,
	        &err),
	    -1);
	assert_false(again);
	assert_int_equal(s3_complete_read(span_text(""), &again, &err), -1);
	assert_true(again);
}

static int note_upload(
    void *arg, const struct s3_upload_entry *entry, struct error *err)
{
	return buf_printf(arg, err, "%s %s %lld;", entry->key, entry->id,
	    (long long)entry->initiated_s);
}

static void test_s3_uploads_are_listed(void **state)
{
	struct error err = ERROR_INIT;
	struct buf notes = BUF_INIT;
	struct s3_uploads_page page = { .visit = note_upload, .arg = &notes };

	(void)state;
	test_ok(
	    s3_uploads_read(
	        span_text("<ListMultipartUploadsResult>"
	                  "<Upload><Key>a%2Fb</Key><UploadId>u"
	                  "</UploadId><Initiated>2026-11-23T22:00:00.000Z"
	                  "</Initiated></Upload><Upload><Key>c</Key><UploadId>v"
	                  "</UploadId></Upload><IsTruncated>true</IsTruncated>"
	                  "<NextKeyMarker>c%20d</NextKeyMarker>"
	                  "<NextUploadIdMarker>v</NextUploadIdMarker>"
	                  "<EncodingType>url</EncodingType>"
	                  "</ListMultipartUploadsResult>"),
	        &page, &err),
	    &err);
	assert_string_equal((char *)notes.data, "a/b u 1795471200;c v -1;");
	assert_true(page.has_more);
	assert_string_equal(page.next_key, "c d");
	assert_string_equal(page.next_id, "v");
	assert_int_equal(
	    s3_uploads_read(
	        span_text("<ListMultipartUploadsResult><IsTruncated>true"
	                  "</IsTruncated></ListMultipartUploadsResult>"),
	        &page, &err),
	    -1);
	buf_release(&notes);
}

static void test_s3_role_has_keys_that_end(void **state)
{
	struct error err = ERROR_INIT;
	struct s3_role_keys keys;

	(void)state;
	test_ok(s3_role_read(
	            span_text("<AssumeRoleWithWebIdentityResponse>"
	                      "<AssumeRoleWithWebIdentityResult><Credentials>"
	                      "<AccessKeyId>K</AccessKeyId>"
	                      "<SecretAccessKey>S</SecretAccessKey>"
	                      "<SessionToken>T</SessionToken>"
	                      "<Expiration>1970-01-02T00:00:01Z</Expiration>"
	                      "</Credentials></AssumeRoleWithWebIdentityResult>"
	                      "</AssumeRoleWithWebIdentityResponse>"),
	            &keys, &err),
	    &err);
	assert_string_equal(keys.key, "K");
	assert_string_equal(keys.secret, "S");
	assert_string_equal(keys.token, "T");
	assert_int_equal(keys.expires_s, 86401);
	assert_int_equal(s3_role_read(span_text("<a/>"), &keys, &err), -1);
	test_contains(err.text, "the answer has no credentials");
}

static void test_s3_time_is_parsed_or_refused(void **state)
{
	static const struct {
		const char *text;
		int64_t s;
	} cases[] = {
		{ "1970-01-01T00:00:00Z", 0 },
		{ "2026-11-23T22:00:00Z", 1795471200 },
		{ "2026-11-23T22:00:00.123Z", 1795471200 },
		{ "2026-11-23T22:00:00+00:00", 1795471200 },
		{ "2026-11-23T23:30:00.5+01:30", 1795471200 },
		{ "2026-11-23T20:00:00-02:00", 1795471200 },
		{ "2026-11-23T22:00:00", -1 },
		{ "2026-11-23T22:00:00+1", -1 },
		{ "2026-11-23T22:00:00+25:00", -1 },
		{ "2026-11-23T22:00:00+01:00Z", -1 },
		{ "2026-11-23T22:00:00 Z", -1 },
		{ "2026-11-23T22:00:00 01:00", -1 },
		{ "2026-13-23T22:00:00Z", -1 },
		{ "2026-11-23", -1 },
		{ "", -1 },
		{ "-999-11-23T22:00:00Z", -1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_int_equal(s3_time_parse(cases[i].text), cases[i].s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_s3_page_has_names_sizes_and_versions),
		cmocka_unit_test(test_s3_page_that_lies_is_refused),
		cmocka_unit_test(test_s3_refusal_is_read_and_harmless),
		cmocka_unit_test(test_s3_uploads_are_begun_and_completed),
		cmocka_unit_test(test_s3_uploads_are_listed),
		cmocka_unit_test(test_s3_role_has_keys_that_end),
		cmocka_unit_test(test_s3_time_is_parsed_or_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
