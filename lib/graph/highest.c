/* highest.c - see highest.h. */
#include "lib/graph/highest.h"

#include "lib/base/cpu.h"

CPU_BODY uint32_t highest(const int32_t *nodes, size_t count)
{
	uint32_t most[16] = { 0 };
	size_t i = 0;

	for (; i + 16 <= count; i += 16)
		for (size_t l = 0; l < 16; l++)
			most[l] = (uint32_t)nodes[i + l] > most[l]
			              ? (uint32_t)nodes[i + l]
			              : most[l];
	for (; i < count; i++)
		most[0] =
		    (uint32_t)nodes[i] > most[0] ? (uint32_t)nodes[i] : most[0];
	for (size_t l = 1; l < 16; l++)
		most[0] = most[l] > most[0] ? most[l] : most[0];
	return most[0];
}

CPU_AVX2 static uint32_t highest_avx2(const int32_t *nodes, size_t count)
{
	return highest(nodes, count);
}

uint32_t nodes_highest(const int32_t *nodes, size_t count)
{
	return cpu_has_avx2() ? highest_avx2(nodes, count)
	                      : highest(nodes, count);
}
