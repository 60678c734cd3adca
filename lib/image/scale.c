/* scale.c - see scale.h. */
#include <string.h>

#include "lib/base/copy.h"
#include "lib/base/cpu.h"
#include "lib/image/scale.h"

enum { LINE_FLOATS = COPY_LINE / sizeof(float) };

CPU_BODY float scaled(struct scale scale, float x)
{
	x -= scale.minus;
	return x * scale.times + x * scale.rest;
}

/* `dtype` is a constant in each call. */
CPU_BODY float element_at(const void *in, size_t i, enum dtype dtype)
{
	if (dtype == DTYPE_U8)
		return (float)((const uint8_t *)in)[i];
	if (dtype == DTYPE_U16)
		return (float)((const uint16_t *)in)[i];
	return ((const float *)in)[i];
}

/* Stores SCALE_STEP results, which stay in registers. */
CPU_BODY void put(float *out, const float *block, enum copy_way way)
{
	for (size_t k = 0; k < SCALE_STEP; k += LINE_FLOATS) {
		if (way == COPY_STREAM)
			copy_line(out + k, block + k);
		if (way == COPY_AHEAD)
			copy_ask(out + k);
	}
	if (way != COPY_STREAM)
		memcpy(out, block, SCALE_STEP * sizeof(float));
}

CPU_BODY void run_elements(struct scale scale, enum dtype dtype,
    const void *restrict in, float *restrict out, size_t count,
    enum copy_way way)
{
	float block[SCALE_STEP];
	size_t i = 0;

	for (; i + SCALE_STEP <= count; i += SCALE_STEP) {
		for (size_t k = 0; k < SCALE_STEP; k++)
			block[k] = scaled(scale, element_at(in, i + k, dtype));
		put(out + i, block, way);
	}
	for (; i < count; i++)
		out[i] = scaled(scale, element_at(in, i, dtype));
}

CPU_BODY void run_elements_by_table(struct scale_table table, enum dtype dtype,
    const void *restrict in, float *restrict out, size_t count,
    enum copy_way way)
{
	const float *minus = table.minus, *times = table.times;
	float block[SCALE_STEP];
	size_t i = 0, j = 0;

	for (; i + SCALE_STEP <= count; i += SCALE_STEP) {
		for (size_t k = 0; k < SCALE_STEP; k++)
			block[k] =
			    (element_at(in, i + k, dtype) - minus[j + k]) *
			    times[j + k];
		put(out + i, block, way);
		j += SCALE_STEP;
		if (j == table.length)
			j = 0;
	}
	for (; i < count; i++, j++)
		out[i] = (element_at(in, i, dtype) - minus[j]) * times[j];
}

CPU_BODY void run_body(struct scale scale, enum dtype dtype, const void *in,
    float *out, size_t count)
{
	const enum copy_way way = copy_way_to(out, scale.is_large);

	if (way == COPY_STREAM)
		run_elements(scale, dtype, in, out, count, COPY_STREAM);
	else if (way == COPY_AHEAD)
		run_elements(scale, dtype, in, out, count, COPY_AHEAD);
	else
		run_elements(scale, dtype, in, out, count, COPY_ORDINARY);
}

CPU_BODY void table_body(struct scale_table table, enum dtype dtype,
    const void *in, float *out, size_t count)
{
	const enum copy_way way = copy_way_to(out, table.is_large);

	if (way == COPY_STREAM)
		run_elements_by_table(
		    table, dtype, in, out, count, COPY_STREAM);
	else if (way == COPY_AHEAD)
		run_elements_by_table(table, dtype, in, out, count, COPY_AHEAD);
	else
		run_elements_by_table(
		    table, dtype, in, out, count, COPY_ORDINARY);
}

CPU_BODY void run_any(struct scale scale, enum dtype dtype, const void *in,
    float *out, size_t count)
{
	if (dtype == DTYPE_U8)
		run_body(scale, DTYPE_U8, in, out, count);
	else if (dtype == DTYPE_U16)
		run_body(scale, DTYPE_U16, in, out, count);
	else
		run_body(scale, DTYPE_F32, in, out, count);
}

CPU_BODY void table_any(struct scale_table table, enum dtype dtype,
    const void *in, float *out, size_t count)
{
	if (dtype == DTYPE_U8)
		table_body(table, DTYPE_U8, in, out, count);
	else if (dtype == DTYPE_U16)
		table_body(table, DTYPE_U16, in, out, count);
	else
		table_body(table, DTYPE_F32, in, out, count);
}

CPU_AVX2 static void run_avx2(struct scale scale, enum dtype dtype,
    const void *in, float *out, size_t count)
{
	run_any(scale, dtype, in, out, count);
}

CPU_AVX2 static void table_avx2(struct scale_table table, enum dtype dtype,
    const void *in, float *out, size_t count)
{
	table_any(table, dtype, in, out, count);
}

void scale_run_plain(struct scale scale, enum dtype dtype, const void *in,
    float *out, size_t count)
{
	run_any(scale, dtype, in, out, count);
}

void scale_run(struct scale scale, enum dtype dtype, const void *in, float *out,
    size_t count)
{
	if (cpu_has_avx2())
		run_avx2(scale, dtype, in, out, count);
	else
		scale_run_plain(scale, dtype, in, out, count);
}

void scale_run_by_table_plain(struct scale_table table, enum dtype dtype,
    const void *in, float *out, size_t count)
{
	table_any(table, dtype, in, out, count);
}

void scale_run_by_table(struct scale_table table, enum dtype dtype,
    const void *in, float *out, size_t count)
{
	if (cpu_has_avx2())
		table_avx2(table, dtype, in, out, count);
	else
		scale_run_by_table_plain(table, dtype, in, out, count);
}
