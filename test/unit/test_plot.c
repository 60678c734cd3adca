/* test_plot.c - charts as pictures, in the format of the file's name. */
#include <stdlib.h>
#include <string.h>

#include "cmd/page/plot.h"
#include "cmd/page/png.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "test/unit/test.h"

static void test_plot_check_names_the_endings(void **state)
{
	static const char *const bad[] = { "chart.pdf", "chart.jpg", "chart",
		"svg", "a.svg/chart", ".", "", "chart.svg.gz" };
	static const char *const good[] = { "-", "chart.svg", "CHART.SVG",
		"a.b/c.d.svg", ".svg" };
	char want[128];

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct error err = ERROR_INIT;

		snprintf(want, sizeof(want),
		    "--plot: the name '%s' must end in .svg or .png", bad[i]);
		test_error_is(plot_check(bad[i], &err), &err, want);
		assert_int_equal(err.code, ERROR_USAGE);
	}
	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		struct error err = ERROR_INIT;

		test_ok(plot_check(good[i], &err), &err);
	}
}

/* Is there a library and a font?  Else the error says which. */
static bool has_png(void)
{
	struct error err = ERROR_INIT;

	if (png_check(&err) == 0)
		return true;
	test_contains(err.text, "a PNG needs ");
	test_contains(err.text, "name the file .svg");
	return false;
}

static char *draw(const char *svg, size_t *len, int *rc, struct error *err)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, len);

	assert_non_null(out);
	*rc = png_write((struct span){ .data = (const unsigned char *)svg,
	                    .len = strlen(svg) },
	    out, err);
	fclose(out);
	return text;
}

static unsigned number(const char *at)
{
	const unsigned char *b = (const unsigned char *)at;

	return (unsigned)(b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3]);
}

static void test_png_write_draws_the_picture(void **state)
{
	static const char svg[] =
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" "
	    "height=\"40\"><text y=\"20\">words</text></svg>";
	struct error err = ERROR_INIT;
	char *png;
	size_t len;
	int rc;

	UNUSED(state);
	if (!has_png())
		return;
	png = draw(svg, &len, &rc, &err);
	test_ok(rc, &err);
	assert_true(len > 100);
	assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
	assert_memory_equal(png + 12, "IHDR", 4);
	/* Twice as large, with a margin. */
	assert_int_equal(number(png + 16), 2 * (100 + 2 * 12));
	assert_int_equal(number(png + 20), 2 * (40 + 2 * 12));
	free(png);
}

static void test_png_write_refuses_what_is_no_picture(void **state)
{
	static const struct {
		const char *svg, *message;
	} cases[] = {
		{ "no markup", "cannot draw the chart as PNG: " },
		{ "<svg xmlns=\"http://www.w3.org/2000/svg\" "
		  "width=\"99999999\" height=\"9\"/>",
		    "too large for a PNG" },
	};

	UNUSED(state);
	for (size_t i = 0; has_png() && i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		size_t len;
		int rc;

		free(draw(cases[i].svg, &len, &rc, &err));
		assert_int_equal(rc, -1);
		test_contains(err.text, cases[i].message);
		assert_int_equal(len, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plot_check_names_the_endings),
		cmocka_unit_test(test_png_write_draws_the_picture),
		cmocka_unit_test(test_png_write_refuses_what_is_no_picture),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
