/*
 * virtual.c - see virtual.h.
 *
 * On x86 the CPU itself reports a hypervisor, so that a physical machine in a
 * cloud is recognised. The kind of the hypervisor comes from the firmware, then
 * from the clock sources of the kernel. Other architectures have only firmware
 * and device tree.
 */
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/files/proc_text.h"
#include "lib/measure/virtual.h"

enum { TEXT = 4096, CPUINFO = 16 * 1024 }; /* the first cores are enough */

struct kind {
	const char *part; /* part of the vendor's or product's name */
	const char *name;
};

/* DMI: vendor and product, separated by a blank. */
static const struct kind firmware[] = {
	{ "VMware", "VMware" },
	{ "VirtualBox", "VirtualBox" },
	{ "Microsoft Corporation Virtual", "Hyper-V" },
	{ "Xen", "Xen" },
	{ "Parallels", "Parallels" },
	{ "BHYVE", "bhyve" },
	{ "Apple Virtualization", "Apple" },
	{ "KVM", "KVM" },
	{ "QEMU", "QEMU" },
	{ "Google Compute Engine", "KVM" },
	{ "OpenStack", "KVM" },
};

static const struct kind clocks[] = {
	{ "kvm-clock", "KVM" },
	{ "xen", "Xen" },
	{ "hyperv_clocksource", "Hyper-V" },
};

static const struct kind trees[] = {
	{ "linux,kvm", "KVM" },
	{ "xen", "Xen" },
	{ "vmware", "VMware" },
};

static const char *find(
    const struct kind *kinds, size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (strstr(text, kinds[i].part))
			return kinds[i].name;
	return NULL;
}

static void get(const char *root, const char *name, char text[TEXT])
{
	proc_text_get(root, name, text, TEXT);
	text[strcspn(text, "\n")] = '\0';
}

/* Is x86's hypervisor flag set in /proc/cpuinfo? 1 yes, 0 no, -1 unknown. */
static int flagged(const char *root)
{
	char text[CPUINFO];

	proc_text_get(root, "proc/cpuinfo", text, sizeof(text));
	for (const char *line = text; line; line = proc_text_next(line)) {
		const char *flag;

		if (strncmp(line, "flags", 5) != 0)
			continue;
		flag = strstr(line, " hypervisor");
		return flag && flag < line + strcspn(line, "\n");
	}
	return -1;
}

/* Asks the firmware for its name; Amazon calls physical ones "metal". */
static const char *ask_firmware(const char *root)
{
	char vendor[TEXT], product[TEXT], text[2 * TEXT];

	get(root, "sys/class/dmi/id/sys_vendor", vendor);
	get(root, "sys/class/dmi/id/product_name", product);
	snprintf(text, sizeof(text), "%s %s", vendor, product);
	if (strstr(text, "Amazon EC2"))
		return strstr(text, "metal") ? NULL : "KVM";
	return find(firmware, ARRAY_LEN(firmware), text);
}

static const char *ask_kernel(const char *root)
{
	char text[TEXT];

	get(root,
	    "sys/devices/system/clocksource/clocksource0/"
	    "available_clocksource",
	    text);
	return find(clocks, ARRAY_LEN(clocks), text);
}

static const char *ask_tree(const char *root)
{
	char text[TEXT];

	get(root, "proc/device-tree/hypervisor/compatible", text);
	return find(trees, ARRAY_LEN(trees), text);
}

void virtual_name(const char *root, char name[VIRTUAL_TEXT])
{
	const int flag = flagged(root);
	const char *kind = NULL;
	char text[TEXT];

	get(root, "sys/hypervisor/type", text);
	if (strcmp(text, "xen") == 0)
		kind = "Xen";
	if (!kind && flag != 0)
		kind = ask_firmware(root);
	if (!kind && flag != 0)
		kind = ask_tree(root);
	if (!kind && flag > 0)
		kind = ask_kernel(root);
	if (!kind)
		kind = flag > 0 ? "virtual machine" : "";
	snprintf(name, VIRTUAL_TEXT, "%s", kind);
}
