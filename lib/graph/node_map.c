/* node_map.c - see node_map.h. */
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "lib/base/array.h"
#include "lib/base/cpu.h"
#include "lib/base/error.h"
#include "lib/graph/mix.h"
#include "lib/graph/node_map.h"

enum {
	SLOTS_LEAST = 1 << 12,
	GROUP = 8,  /* nodes looked up at once */
	WIDE = 16,  /* the same with one AVX-512 instruction */
	MANY = 16,  /* clear the whole array if more than 1 / MANY is set */
	AHEAD = 16, /* nodes whose slots are prefetched */
};

/* ---- an array over all nodes ---- */

static int make_dense(struct node_map *map, size_t nodes, struct error *err)
{
	int32_t *numbers = malloc((nodes + 1) * sizeof(*numbers));

	if (!numbers)
		return error_memory(err, nodes * sizeof(*numbers));
	memset(numbers, 0xff, (nodes + 1) * sizeof(*numbers));
	free(map->numbers);
	map->numbers = numbers;
	map->dense_nodes = nodes;
	return 0;
}

/* Clears the whole array if many nodes are set, which is faster. */
static void wipe_dense(struct node_map *map)
{
	if (map->count > map->dense_nodes / MANY)
		memset(map->numbers, 0xff,
		    map->dense_nodes * sizeof(*map->numbers));
	else
		for (size_t i = 0; i < map->count; i++)
			map->numbers[map->nodes[i]] = -1;
}

/*
 * Returns the node's number, a new one if it has none; *n counts the nodes.
 * There is no branch on whether it is new, which is unpredictable.
 */
static inline int32_t number_node(
    int32_t *of_node, int32_t *list, size_t *n, int32_t node)
{
	const int32_t number = of_node[node];
	const int32_t given = number < 0 ? (int32_t)*n : number;

	list[*n] = node;
	*n += number < 0;
	of_node[node] = given;
	return given;
}

static void add_any(
    struct node_map *map, const int32_t *nodes, size_t count, int32_t *numbers)
{
	int32_t *const of_node = map->numbers, *const list = map->nodes;
	size_t n = map->count;

	for (size_t i = 0; i < count; i++)
		numbers[i] = number_node(of_node, list, &n, nodes[i]);
	map->count = n;
}

/* Most groups contain only known nodes: nothing to write. */
static void add_groups(
    struct node_map *map, const int32_t *nodes, size_t count, int32_t *numbers)
{
	const int32_t *of_node = map->numbers;
	size_t i = 0;

	for (; i + GROUP <= count; i += GROUP) {
		int32_t given[GROUP], signs = 0;

		for (size_t k = 0; k < GROUP; k++) {
			given[k] = of_node[nodes[i + k]];
			signs |= given[k];
		}
		if (signs < 0)
			add_any(map, nodes + i, GROUP, numbers + i);
		else
			memcpy(numbers + i, given, sizeof(given));
	}
	add_any(map, nodes + i, count - i, numbers + i);
}

#if defined(__x86_64__)

/* Adds those of sixteen nodes whose bit is set; they may be known by now. */
static inline void add_missing(struct node_map *map, const int32_t nodes[WIDE],
    unsigned missing, int32_t *numbers)
{
	int32_t *const of_node = map->numbers, *const list = map->nodes;
	size_t n = map->count;

	for (; missing; missing &= missing - 1) {
		const unsigned k = (unsigned)__builtin_ctz(missing);

		numbers[k] = number_node(of_node, list, &n, nodes[k]);
	}
	map->count = n;
}

CPU_AVX512 static void add_wide(
    struct node_map *map, const int32_t *nodes, size_t count, int32_t *numbers)
{
	size_t i = 0;

	for (; i + WIDE <= count; i += WIDE) {
		const __m512i wanted = _mm512_loadu_si512(nodes + i);
		const __m512i found =
		    _mm512_i32gather_epi32(wanted, map->numbers, 4);
		const __mmask16 missing = _mm512_movepi32_mask(found);
		int32_t kept[WIDE]; /* `numbers` may be `nodes` */

		_mm512_storeu_si512(numbers + i, found);
		if (!missing)
			continue;
		_mm512_storeu_si512(kept, wanted);
		add_missing(map, kept, missing, numbers + i);
	}
	add_any(map, nodes + i, count - i, numbers + i);
}

#else

static void add_wide(
    struct node_map *map, const int32_t *nodes, size_t count, int32_t *numbers)
{
	add_groups(map, nodes, count, numbers);
}

#endif

static void add_dense(
    struct node_map *map, const int32_t *nodes, size_t count, int32_t *numbers)
{
	if (cpu_gathers())
		add_wide(map, nodes, count, numbers);
	else
		add_groups(map, nodes, count, numbers);
}

/* ---- a hash table ---- */

static size_t slot_of(const struct node_map *map, uint32_t node)
{
	return (size_t)(node * MIX_STEP >> map->shift);
}

/* Returns the slot of the node, or the free slot where it belongs. */
static struct node_slot *find_slot(const struct node_map *map, uint32_t node)
{
	size_t slot = slot_of(map, node);

	while (map->slots[slot].number && map->slots[slot].node != node)
		slot = (slot + 1) & (map->slot_count - 1);
	return &map->slots[slot];
}

/* Makes a table of `wanted` slots, a power of two, and moves nodes there. */
static int make_slots(struct node_map *map, size_t wanted, struct error *err)
{
	struct node_slot *slots = calloc(wanted, sizeof(*slots));

	if (!slots)
		return error_memory(err, wanted * sizeof(*slots));
	free(map->slots);
	map->slots = slots;
	map->slot_count = wanted;
	map->shift = 64 - (unsigned)__builtin_ctzll(wanted);
	for (size_t i = 0; i < map->count; i++)
		*find_slot(map, (uint32_t)map->nodes[i]) = (struct node_slot){
			.node = (uint32_t)map->nodes[i],
			.number = (uint32_t)i + 1,
		};
	return 0;
}

static void add_hashed(
    struct node_map *map, const int32_t *nodes, size_t count, int32_t *numbers)
{
	for (size_t i = 0; i < count; i++) {
		struct node_slot *slot;

		if (i + AHEAD < count)
			__builtin_prefetch(&map->slots[slot_of(
			    map, (uint32_t)nodes[i + AHEAD])]);
		slot = find_slot(map, (uint32_t)nodes[i]);
		if (!slot->number) {
			map->nodes[map->count++] = nodes[i];
			*slot = (struct node_slot){
				.node = (uint32_t)nodes[i],
				.number = (uint32_t)map->count,
			};
		}
		numbers[i] = (int32_t)(slot->number - 1);
	}
}

/* Keeps half of the slots free, even if all coming nodes are new. */
static int reserve_slots(struct node_map *map, size_t more, struct error *err)
{
	size_t wanted = map->slot_count ? map->slot_count : SLOTS_LEAST;

	while (wanted < 2 * (map->count + more))
		wanted *= 2;
	return wanted > map->slot_count ? make_slots(map, wanted, err) : 0;
}

/* ---- both kinds ---- */

int node_map_begin(struct node_map *map, size_t nodes, struct error *err)
{
	if (map->dense_nodes)
		wipe_dense(map);
	map->count = 0;
	if (nodes > NODE_MAP_DENSE) {
		free(map->numbers);
		map->numbers = NULL;
		map->dense_nodes = 0;
		if (map->slots)
			memset(map->slots, 0,
			    map->slot_count * sizeof(*map->slots));
		return reserve_slots(map, 0, err);
	}
	return nodes > map->dense_nodes || !map->numbers
	           ? make_dense(map, nodes, err)
	           : 0;
}

int node_map_add(struct node_map *map, const int32_t *nodes, size_t count,
    int32_t *numbers, struct error *err)
{
	/* One more: a node is written before it is known to be new. */
	int32_t *list = array_grow(map->nodes, &map->capacity,
	    map->count + count + 1, sizeof(*list), err);

	if (!list)
		return -1;
	map->nodes = list;
	if (map->numbers) {
		add_dense(map, nodes, count, numbers);
		return 0;
	}
	if (reserve_slots(map, count, err))
		return -1;
	add_hashed(map, nodes, count, numbers);
	return 0;
}

void node_map_release(struct node_map *map)
{
	free(map->nodes);
	free(map->numbers);
	free(map->slots);
	*map = (struct node_map)NODE_MAP_INIT;
}
