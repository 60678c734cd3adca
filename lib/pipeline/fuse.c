/* fuse.c - see fuse.h. */
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/measure/stopwatch.h"
#include "lib/pipeline/fuse.h"
#include "lib/pipeline/fuse_rows.h"

struct part {
	const struct step_ops *ops;
	const struct window_ops *window;
	void *priv;
	unsigned given;
	enum dtype dtype; /* type of the output */
	enum layout layout;
	const struct type *promised;
	/* State of the current sample: */
	struct frame frame; /* size of the output */
	struct box box;     /* the wanted part of it */
};

struct fuse {
	struct part *parts;
	unsigned count;
	unsigned planner;        /* part that decides what is wanted: a crop */
	enum layout layout;      /* layout of the input */
	struct tensor memory[2]; /* intermediate tensors, used in turn */
	struct tensor aligned;   /* an aligned copy of the input */
	bool any_alignment;
	struct buf scratch;
	struct rows_plan plan; /* the rows part that runs now */
};

/* A sample being processed. */
struct way {
	struct fuse *fuse;
	const struct fuse_draw *draw;
	struct window window; /* the current intermediate result */
	unsigned turn;
	struct tensor *out;
};

static bool is_area(const struct step_ops *ops)
{
	return ops->window->reach == REACH_AREA;
}

static bool takes_part(const struct fuse_step *step)
{
	const struct window_ops *window = step->ops->window;

	return window && (!window->fits || window->fits(step->priv));
}

/* Returns how many steps can be fused, from the first on. */
static unsigned run_length(const struct fuse_step *steps, unsigned count)
{
	unsigned n = 0;

	while (n < count && n < ROWS_OPS && takes_part(&steps[n]) &&
	       (n == 0 || !steps[n].ops->window->look))
		n++;
	if (n > 0 && !steps[0].ops->window->look &&
	    steps[0].in->layout != LAYOUT_HWC &&
	    steps[0].in->layout != LAYOUT_CHW)
		return 0;
	return n;
}

unsigned fuse_length(const struct fuse_step *steps, unsigned count, bool *crops)
{
	const unsigned n = run_length(steps, count);
	unsigned rows = 0;

	*crops = false;
	for (unsigned i = 1; i < n; i++)
		*crops |= steps[i].ops->window->crops;
	if (*crops)
		return n;
	while (rows < n && !is_area(steps[rows].ops))
		rows++;
	if (rows > 0 && steps[0].ops->window->crops)
		rows = n; /* the steps behind read the window in place */
	return rows > 1 ? rows : 0;
}

struct fuse *fuse_new(
    const struct fuse_step *steps, unsigned count, struct error *err)
{
	struct fuse *fuse = calloc(1, sizeof(*fuse));

	if (fuse)
		fuse->parts = calloc(count, sizeof(*fuse->parts));
	if (!fuse || !fuse->parts) {
		error_memory(err, count * sizeof(struct part));
		fuse_free(fuse);
		return NULL;
	}
	fuse->count = count;
	fuse->layout = steps[0].in->layout;
	fuse->any_alignment = true;
	for (unsigned i = 0; i < count; i++) {
		fuse->any_alignment &= steps[i].ops->any_alignment;
		if (steps[i].ops->window->crops)
			fuse->planner = i;
		fuse->parts[i] = (struct part){
			.ops = steps[i].ops,
			.window = steps[i].ops->window,
			.priv = steps[i].priv,
			.given = steps[i].given,
			.dtype = steps[i].out->dtype,
			.layout = steps[i].out->layout,
			.promised = steps[i].promised,
		};
	}
	return fuse;
}

void fuse_free(struct fuse *fuse)
{
	if (!fuse)
		return;
	tensor_release(&fuse->memory[0]);
	tensor_release(&fuse->memory[1]);
	tensor_release(&fuse->aligned);
	buf_release(&fuse->scratch);
	free(fuse->parts);
	free(fuse);
}

static bool keeps_promise(const struct part *part)
{
	const struct box all = frame_box(&part->frame);
	const struct shape shape = frame_shape(&part->frame, &all);
	const struct type *promised = part->promised;

	if (promised->dtype != part->dtype || promised->shape.count != 3)
		return false;
	for (unsigned i = 0; i < 3; i++)
		if (promised->shape.dims[i] >= 0 &&
		    promised->shape.dims[i] != shape.dims[i])
			return false;
	return true;
}

static int plan_part(struct part *part, const struct fuse_draw *draw,
    struct frame frame, struct error *err)
{
	struct random random = { .left = 0 };

	if (part->ops->random)
		random = random_stream(
		    draw->seed, draw->epoch, draw->sample, part->given);
	if (part->window->plan &&
	    part->window->plan(part->priv, &random, &frame, err))
		return -1;
	frame.dtype = part->dtype;
	frame.layout = part->layout;
	part->frame = frame;
	if (!frame.size.height || !frame.size.width || !frame.channels)
		return error_set(err, ERROR_DATA, "image is empty");
	if (part->promised && !keeps_promise(part))
		return error_set(err, ERROR_DATA, "image of another shape");
	return 0;
}

/* Computes the sizes forward, then the wanted parts backward. */
static int plan(struct way *way, const struct tensor *in, struct error *err)
{
	struct fuse *fuse = way->fuse;
	const unsigned last = fuse->count - 1;
	const bool has_file = fuse->parts[0].window->look != NULL;
	struct box box;

	if (!has_file)
		way->window = window_of(in, fuse->layout);
	else if (fuse->parts[0].window->look(
	             fuse->parts[0].priv, in, &way->window.frame, err))
		return -1;
	for (unsigned i = 0; i <= last; i++)
		if (plan_part(&fuse->parts[i], way->draw,
		        i ? fuse->parts[i - 1].frame : way->window.frame, err))
			return -1;
	box = frame_box(&fuse->parts[last].frame);
	for (unsigned i = last;; i--) {
		struct part *part = &fuse->parts[i];

		part->box = box;
		if (i == 0 && has_file)
			return 0;
		if (part->window->need &&
		    part->window->need(part->priv, &box, err))
			return -1;
		if (i == 0)
			break;
	}
	window_narrow(&way->window, &box);
	return 0;
}

/* Adds the time since the last lap to this part. */
static void lap(struct way *way, unsigned part)
{
	if (TRACES && way->draw->watch)
		way->draw->parts[part].ns += stopwatch_read(way->draw->watch);
}

static struct tensor *next_target(struct way *way, unsigned i)
{
	if (i + 1 == way->fuse->count)
		return way->out;
	return &way->fuse->memory[way->turn++ & 1];
}

/* Continues with a tensor that holds the wanted box of part i. */
static void continue_with(
    struct way *way, unsigned i, const struct tensor *tensor)
{
	const struct part *part = &way->fuse->parts[i];

	way->window = window_of(tensor, part->layout);
	way->window.frame = part->frame;
	way->window.box = part->box;
}

static int make_area(struct way *way, unsigned i, struct error *err)
{
	const struct part *part = &way->fuse->parts[i];
	struct tensor *target = next_target(way, i);

	if (part->window->make(
	        part->priv, &way->window, &part->box, target, err))
		return -1;
	continue_with(way, i, target);
	lap(way, i);
	return 0;
}

static int load(struct way *way, const struct tensor *file, struct error *err)
{
	const struct part *part = &way->fuse->parts[0];

	if (part->window->load(part->priv, file, &part->box,
	        &way->fuse->memory[way->turn++ & 1], &way->window, err))
		return -1;
	window_narrow(&way->window, &part->box);
	lap(way, 0);
	return 0;
}

/* Puts the parts from .. to-1 into the plan, except those that do nothing. */
static void plan_rows(struct way *way, unsigned from, unsigned to)
{
	struct rows_plan *plan = &way->fuse->plan;
	const struct frame *frame = &way->window.frame;

	plan->count = 0;
	plan->splits = false;
	for (unsigned i = from; i < to; i++) {
		const struct part *part = &way->fuse->parts[i];

		if (part->window->makes_planes) {
			plan->splits = true;
			plan->split = plan->count;
		}
		if (part->window->run && !(part->window->is_idle &&
		                             part->window->is_idle(part->priv)))
			plan->ops[plan->count++] = (struct rows_op){
				.ops = part->window,
				.priv = part->priv,
				.in = frame->dtype,
				.out = part->dtype,
				.in_channels = frame->channels,
				.out_channels = part->frame.channels,
			};
		frame = &part->frame;
	}
	rows_plan_settle(plan);
}

/*
 * Timing each step on each row would take longer than the steps, so the time of
 * the rows is divided by the bytes that each step reads and writes.
 */
static void lap_rows(struct way *way, unsigned from, unsigned to)
{
	const struct rows_plan *plan = &way->fuse->plan;
	uint64_t all_ns, given = 0;
	double all = 0;
	unsigned op = 0;

	if (!TRACES || !way->draw->watch)
		return;
	all_ns = stopwatch_read(way->draw->watch);
	for (unsigned i = 0; i < plan->count + plan->splits; i++)
		all += (double)rows_plan_bytes(plan, i);
	for (unsigned i = from; i < to && all > 0; i++) {
		const struct part *part = &way->fuse->parts[i];
		double bytes = 0;
		uint64_t ns;

		if (part->window->makes_planes)
			bytes = (double)rows_plan_bytes(plan, plan->count);
		else if (op < plan->count && part->priv == plan->ops[op].priv &&
		         part->window == plan->ops[op].ops)
			bytes = (double)rows_plan_bytes(plan, op++);
		ns = (uint64_t)((double)all_ns * bytes / all);
		way->draw->parts[i].ns += ns;
		given += ns;
	}
	way->draw->parts[to - 1].ns += all_ns - given;
}

/* Is the current window already the output, apart from its address? */
static bool is_only_view(const struct way *way, unsigned to)
{
	const struct rows_plan *plan = &way->fuse->plan;

	return plan->count == 0 && !plan->splits && to < way->fuse->count;
}

static int make_rows(
    struct way *way, unsigned from, unsigned to, struct error *err)
{
	const struct part *part = &way->fuse->parts[to - 1];
	const struct shape shape = frame_shape(&part->frame, &part->box);
	struct tensor *target;

	plan_rows(way, from, to);
	if (is_only_view(way, to)) {
		way->window.frame = part->frame;
		way->window.box = part->box;
		lap_rows(way, from, to);
		return 0;
	}
	target = next_target(way, to - 1);
	if (tensor_reshape(target, part->dtype, &shape, err) ||
	    rows_run(&way->fuse->plan, &way->window, target,
	        &way->fuse->scratch, err))
		return -1;
	continue_with(way, to - 1, target);
	lap_rows(way, from, to);
	return 0;
}

static int make(struct way *way, const struct tensor *in, struct error *err)
{
	const struct fuse *fuse = way->fuse;
	unsigned i = 0;

	if (fuse->parts[0].window->look) {
		if (load(way, in, err))
			return -1;
		i = 1;
	}
	while (i < fuse->count) {
		unsigned to = i;

		while (to < fuse->count && !is_area(fuse->parts[to].ops))
			to++;
		if (to > i ? make_rows(way, i, to, err)
		           : make_area(way, to++, err))
			return -1;
		i = to;
	}
	return 0;
}

/* Counts the bytes that the parts make, before any of them runs. */
static void count_bytes(const struct fuse *fuse, struct fuse_part *told)
{
	for (unsigned i = 0; i < fuse->count; i++) {
		const struct part *part = &fuse->parts[i];

		told[i] = (struct fuse_part){
			.bytes = part->box.height * part->box.width *
			         part->frame.channels *
			         dtype_bytes(part->dtype),
		};
	}
}

int fuse_run(struct fuse *fuse, const struct fuse_draw *draw,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	const size_t mask = dtype_bytes(in->dtype) - 1;
	struct way way = { .fuse = fuse, .draw = draw, .out = out };

	if (!fuse->any_alignment && ((uintptr_t)in->data & mask) != 0) {
		if (tensor_copy(&fuse->aligned, in, err))
			return -1;
		in = &fuse->aligned;
	}
	if (plan(&way, in, err))
		return -1;
	if (draw->parts)
		count_bytes(fuse, draw->parts);
	lap(&way, fuse->planner);
	return make(&way, in, err);
}
