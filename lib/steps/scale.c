/* scale.c - see scale.h. */
#include <string.h>

#include "lib/base/copy.h"
#include "lib/base/cpu.h"
#include "lib/steps/scale.h"

enum { LINE_FLOATS = COPY_LINE / sizeof(float) };

CPU_BODY float scaled(struct scale scale, float x)
{
	x -= scale.minus;
	return x * scale.times + x * scale.rest;
}

/* Room for SCALE_STEP results, which stay in registers. */
CPU_BODY void put(float *out, const float *block, bool away)
{
	if (!away)
		memcpy(out, block, SCALE_STEP * sizeof(float));
	for (size_t k = 0; away && k < SCALE_STEP; k += LINE_FLOATS)
		copy_line(out + k, block + k);
}

CPU_BODY void bytes_body(struct scale scale, const uint8_t *restrict in,
    float *restrict out, size_t count, bool away)
{
	float block[SCALE_STEP];
	size_t i = 0;

	for (; i + SCALE_STEP <= count; i += SCALE_STEP) {
		for (size_t k = 0; k < SCALE_STEP; k++)
			block[k] = scaled(scale, in[i + k]);
		put(out + i, block, away);
	}
	for (; i < count; i++)
		out[i] = scaled(scale, in[i]);
}

CPU_BODY void floats_body(struct scale scale, const float *restrict in,
    float *restrict out, size_t count, bool away)
{
	float block[SCALE_STEP];
	size_t i = 0;

	for (; i + SCALE_STEP <= count; i += SCALE_STEP) {
		for (size_t k = 0; k < SCALE_STEP; k++)
			block[k] = scaled(scale, in[i + k]);
		put(out + i, block, away);
	}
	for (; i < count; i++)
		out[i] = scaled(scale, in[i]);
}

CPU_BODY void bytes_by_table_body(struct scale_table table,
    const uint8_t *restrict in, float *restrict out, size_t count, bool away)
{
	const float *minus = table.minus, *times = table.times;
	float block[SCALE_STEP];
	size_t i = 0, j = 0;

	for (; i + SCALE_STEP <= count; i += SCALE_STEP) {
		for (size_t k = 0; k < SCALE_STEP; k++)
			block[k] =
			    ((float)in[i + k] - minus[j + k]) * times[j + k];
		put(out + i, block, away);
		j += SCALE_STEP;
		if (j == table.length)
			j = 0;
	}
	for (; i < count; i++, j++)
		out[i] = ((float)in[i] - minus[j]) * times[j];
}

CPU_BODY void floats_by_table_body(struct scale_table table,
    const float *restrict in, float *restrict out, size_t count, bool away)
{
	const float *minus = table.minus, *times = table.times;
	float block[SCALE_STEP];
	size_t i = 0, j = 0;

	for (; i + SCALE_STEP <= count; i += SCALE_STEP) {
		for (size_t k = 0; k < SCALE_STEP; k++)
			block[k] = (in[i + k] - minus[j + k]) * times[j + k];
		put(out + i, block, away);
		j += SCALE_STEP;
		if (j == table.length)
			j = 0;
	}
	for (; i < count; i++, j++)
		out[i] = (in[i] - minus[j]) * times[j];
}

static void bytes_plain(
    struct scale scale, const uint8_t *in, float *out, size_t count)
{
	if (scale.away && copy_takes(out))
		bytes_body(scale, in, out, count, true);
	else
		bytes_body(scale, in, out, count, false);
}

CPU_AVX2 static void bytes_avx2(
    struct scale scale, const uint8_t *in, float *out, size_t count)
{
	if (scale.away && copy_takes(out))
		bytes_body(scale, in, out, count, true);
	else
		bytes_body(scale, in, out, count, false);
}

static void floats_plain(
    struct scale scale, const float *in, float *out, size_t count)
{
	if (scale.away && copy_takes(out))
		floats_body(scale, in, out, count, true);
	else
		floats_body(scale, in, out, count, false);
}

CPU_AVX2 static void floats_avx2(
    struct scale scale, const float *in, float *out, size_t count)
{
	if (scale.away && copy_takes(out))
		floats_body(scale, in, out, count, true);
	else
		floats_body(scale, in, out, count, false);
}

static void bytes_by_table_plain(
    struct scale_table table, const uint8_t *in, float *out, size_t count)
{
	if (table.away && copy_takes(out))
		bytes_by_table_body(table, in, out, count, true);
	else
		bytes_by_table_body(table, in, out, count, false);
}

CPU_AVX2 static void bytes_by_table_avx2(
    struct scale_table table, const uint8_t *in, float *out, size_t count)
{
	if (table.away && copy_takes(out))
		bytes_by_table_body(table, in, out, count, true);
	else
		bytes_by_table_body(table, in, out, count, false);
}

static void floats_by_table_plain(
    struct scale_table table, const float *in, float *out, size_t count)
{
	if (table.away && copy_takes(out))
		floats_by_table_body(table, in, out, count, true);
	else
		floats_by_table_body(table, in, out, count, false);
}

CPU_AVX2 static void floats_by_table_avx2(
    struct scale_table table, const float *in, float *out, size_t count)
{
	if (table.away && copy_takes(out))
		floats_by_table_body(table, in, out, count, true);
	else
		floats_by_table_body(table, in, out, count, false);
}

void scale_bytes(
    struct scale scale, const uint8_t *in, float *out, size_t count)
{
	(cpu_has_avx2() ? bytes_avx2 : bytes_plain)(scale, in, out, count);
}

void scale_floats(struct scale scale, const float *in, float *out, size_t count)
{
	(cpu_has_avx2() ? floats_avx2 : floats_plain)(scale, in, out, count);
}

void scale_bytes_by_table(
    struct scale_table table, const uint8_t *in, float *out, size_t count)
{
	(cpu_has_avx2() ? bytes_by_table_avx2 : bytes_by_table_plain)(
	    table, in, out, count);
}

void scale_floats_by_table(
    struct scale_table table, const float *in, float *out, size_t count)
{
	(cpu_has_avx2() ? floats_by_table_avx2 : floats_by_table_plain)(
	    table, in, out, count);
}
