/* test_xml.c - small XML documents, and hostile ones. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/syntax/xml.h"
#include "test/unit/test.h"

/* Notes "PATH=TEXT;" of each element. */
static int note(
    void *arg, const char *path, const char *text, struct error *err)
{
	return buf_printf(arg, err, "%s=%s;", path, text);
}

static int stop(
    void *arg, const char *path, const char *text, struct error *err)
{
	UNUSED(arg);
	UNUSED(text);
	return error_set(err, ERROR_DATA, "stopped at %s", path);
}

static void test_xml_visits_each_element_when_it_ends(void **state)
{
	static const struct {
		const char *document, *visits;
	} cases[] = {
		{ "<a/>", "a=;" },
		{ "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		  "<r xmlns=\"http://x/\">\n <k>one</k>\n <k>two</k>\n</r>\n",
		    "r/k=one;r/k=two;r=;" },
		{ "<p:r xmlns:p=\"urn:x\"><p:k>v</p:k></p:r>", "r/k=v;r=;" },
		{ "<r><t>&quot;e&quot; &lt;&#xe4;&#43;</t></r>",
		    "r/t=\"e\" <\xc3\xa4+;r=;" },
		{ "<r><t><![CDATA[a<b]]></t></r>", "r/t=a<b;r=;" },
		{ "<r>before<t>x</t>behind</r>", "r/t=x;r=;" },
		{ "<r><!-- no --><t> a </t><?x y?></r>", "r/t= a ;r=;" },
		{ "<r u='1'><t v=\"2\">x</t></r>", "r/t=x;r=;" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct buf visits = BUF_INIT;

		test_ok(
		    xml_each(span_text(cases[i].document), note, &visits, &err),
		    &err);
		assert_string_equal((char *)visits.data, cases[i].visits);
		buf_release(&visits);
	}
}

static void test_xml_refuses_what_is_hostile_or_cut(void **state)
{
	static const struct {
		const char *document, *words;
	} cases[] = {
		{ "", "it is empty" },
		{ "no xml", "line 1:" },
		{ "<a><b></a>", "line 1:" },
		{ "<a>", "line 1:" },
		{ "<a>&b;</a>", "line 1:" },
		{ "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>",
		    "it has a document type" },
		{ "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>",
		    "it has a document type" },
		{ "<a/><b/>", "line 1:" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct buf visits = BUF_INIT;

		assert_int_equal(
		    xml_each(span_text(cases[i].document), note, &visits, &err),
		    -1);
		assert_int_equal(err.code, ERROR_DATA);
		test_contains(err.text, cases[i].words);
		buf_release(&visits);
	}
}

/* Repeats `part` so many times between `head` and `tail`. */
static void build(struct buf *out, const char *head, const char *part,
    size_t times, const char *tail)
{
	struct error err = ERROR_INIT;

	test_ok(buf_append(out, head, strlen(head), &err), &err);
	for (size_t i = 0; i < times; i++)
		test_ok(buf_append(out, part, strlen(part), &err), &err);
	test_ok(buf_append(out, tail, strlen(tail), &err), &err);
}

static void test_xml_has_limits(void **state)
{
	struct error err = ERROR_INIT;
	struct buf document = BUF_INIT, visits = BUF_INIT;

	(void)state;
	build(&document, "", "<element>", 200, "");
	assert_int_equal(
	    xml_each(buf_span(&document), note, &visits, &err), -1);
	test_contains(err.text, "elements are nested too deeply");
	document.len = 0;
	build(&document, "<a>", "text", XML_TEXT_MOST / 4 + 1, "</a>");
	assert_int_equal(
	    xml_each(buf_span(&document), note, &visits, &err), -1);
	test_contains(err.text, "a text has more than 65536 bytes");
	document.len = 0;
	build(&document, "<a>", "<b>x</b>", XML_BYTES_MOST / 8, "</a>");
	assert_int_equal(
	    xml_each(buf_span(&document), note, &visits, &err), -1);
	test_contains(err.text, "at most 16777216 are read");
	buf_release(&document);
	buf_release(&visits);
}

static void test_xml_stops_when_the_visitor_says_so(void **state)
{
	struct error err = ERROR_INIT;

	(void)state;
	assert_int_equal(
	    xml_each(span_text("<a><b/><c/></a>"), stop, NULL, &err), -1);
	assert_string_equal(err.text, "stopped at a/b");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_xml_visits_each_element_when_it_ends),
		cmocka_unit_test(test_xml_refuses_what_is_hostile_or_cut),
		cmocka_unit_test(test_xml_has_limits),
		cmocka_unit_test(test_xml_stops_when_the_visitor_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
