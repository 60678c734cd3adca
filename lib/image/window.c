/* window.c - see window.h. */
#include "lib/image/window.h"

static size_t pixel_bytes(const struct frame *frame)
{
	return dtype_bytes(frame->dtype) *
	       (frame->layout == LAYOUT_CHW ? 1 : frame->channels);
}

struct frame frame_of(enum dtype dtype, const struct shape *shape)
{
	return (struct frame){
		.dtype = dtype,
		.layout = LAYOUT_HWC,
		.size = { (size_t)shape->dims[0], (size_t)shape->dims[1] },
		.channels = (size_t)shape->dims[2],
	};
}

struct window window_of(const struct tensor *tensor, enum layout layout)
{
	const struct image image = image_of(tensor, layout);
	const size_t stride = image.width * image.pixel_bytes;

	return (struct window){
		.frame = { .dtype = tensor->dtype,
		    .layout = layout,
		    .size = { image.height, image.width },
		    .channels = image.channels },
		.box = { .height = image.height, .width = image.width },
		.data = tensor->data,
		.end = (const unsigned char *)tensor->data + tensor->bytes,
		.stride = stride,
		.plane = image.height * stride,
	};
}

void window_narrow(struct window *window, const struct box *box)
{
	window->data +=
	    (box->top - window->box.top) * window->stride +
	    (box->left - window->box.left) * pixel_bytes(&window->frame);
	window->box = *box;
}

struct box frame_box(const struct frame *frame)
{
	return (struct box){
		.height = frame->size.height,
		.width = frame->size.width,
	};
}

struct shape frame_shape(const struct frame *frame, const struct box *box)
{
	const int64_t height = (int64_t)box->height;
	const int64_t width = (int64_t)box->width;
	const int64_t channels = (int64_t)frame->channels;

	if (frame->layout == LAYOUT_CHW)
		return (struct shape){ 3, { channels, height, width } };
	return (struct shape){ 3, { height, width, channels } };
}
