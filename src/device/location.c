/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "device/probe.h"

#define ENCLOSURES "/sys/class/enclosure"
#define SLOTS	   "/sys/bus/pci/slots"

/* "0000:01:00.0" */
bool is_pci_function(const char *c)
{
	static const char shape[] = "xxxx:xx:xx.x";
	size_t i;

	for (i = 0; shape[i]; i++)
		if (shape[i] == 'x' ? !isxdigit((unsigned char)c[i]) : c[i] != shape[i])
			return false;
	return c[i] == '\0';
}

static bool is_ata_port(const char *c)
{
	return text_starts_with(c, "ata") && isdigit((unsigned char)c[3]);
}

static bool is_sas_device(const char *c)
{
	return text_starts_with(c, "end_device-");
}

/* A USB device: bus, dash, ports with points between them ("1-4.2"), no colon. */
static bool is_usb_device(const char *c)
{
	size_t digits = strspn(c, "0123456789");

	return digits > 0 && c[digits] == '-' && c[digits + 1] &&
	       c[digits + 1 + strspn(c + digits + 1, "0123456789.")] == '\0';
}

static void append(char *text, size_t size, const char *part)
{
	size_t used = strlen(text);

	snprintf(text + used, size - used, "%s%s", used ? ", " : "", part);
}

/* A bay's "device" link leads to the SCSI disk that sits in it. */
static bool bay_holds(struct sys *sys, const char *enclosure, const char *bay, const char *sysfs)
{
	char disk[PATH_MAX];

	if (sys_resolve(sys, disk, sizeof(disk), ENCLOSURES "/%s/%s/device", enclosure, bay) < 0)
		return false;
	size_t n = strlen(disk);
	return !strncmp(sysfs, disk, n) && sysfs[n] == '/';
}

static bool find_bay(struct sys *sys, const char *sysfs, char *ret, size_t size)
{
	CLEANUP(sys_names_release) struct sys_names enclosures = { 0 };

	if (sys_list(sys, &enclosures, ENCLOSURES) < 0)
		return false;
	for (size_t i = 0; i < enclosures.n; i++) {
		CLEANUP(sys_names_release) struct sys_names bays = { 0 };
		const char *enclosure = enclosures.items[i];
		if (sys_list(sys, &bays, ENCLOSURES "/%s", enclosure) < 0)
			continue;
		for (size_t k = 0; k < bays.n; k++) {
			char slot[32];
			const char *bay = bays.items[k];
			if (!strcmp(bay, "device") || !bay_holds(sys, enclosure, bay, sysfs))
				continue;
			if (sys_read_line(sys, slot, sizeof(slot), ENCLOSURES "/%s/%s/slot",
					  enclosure, bay) < 0 ||
			    !slot[0])
				snprintf(slot, sizeof(slot), "%s", bay);
			snprintf(ret, size, "enclosure %s bay %s", enclosure, slot);
			return true;
		}
	}
	return false;
}

static bool find_port(struct sys *sys, const char *sysfs, char *ret, size_t size)
{
	char c[SYS_NAME_MAX];

	if (path_component(sysfs, is_ata_port, c, sizeof(c))) {
		uint64_t port = sys_read_number(sys, UINT64_MAX, "/sys/class/ata_port/%s/port_no",
						c);
		if (port == UINT64_MAX)
			snprintf(ret, size, "%s", c);
		else
			snprintf(ret, size, "SATA port %u (%s)", (unsigned)port, c);
		return true;
	}
	if (path_component(sysfs, is_sas_device, c, sizeof(c))) {
		uint64_t phy = sys_read_number(sys, UINT64_MAX,
					       "/sys/class/sas_device/%s/phy_identifier", c);
		uint64_t bay = sys_read_number(sys, UINT64_MAX,
					       "/sys/class/sas_device/%s/bay_identifier", c);
		if (bay != UINT64_MAX)
			snprintf(ret, size, "SAS bay %u (%s)", (unsigned)bay, c);
		else if (phy != UINT64_MAX)
			snprintf(ret, size, "SAS phy %u (%s)", (unsigned)phy, c);
		else
			snprintf(ret, size, "%s", c);
		return true;
	}
	if (path_component(sysfs, is_usb_device, c, sizeof(c))) {
		snprintf(ret, size, "USB port %s", c);
		return true;
	}
	return false;
}

/* A slot names the bus and device that sit in it, without the function: "0000:01:00". */
static bool find_slot(struct sys *sys, const char *sysfs, char *ret, size_t size)
{
	CLEANUP(sys_names_release) struct sys_names slots = { 0 };
	char address[32], needle[40];

	if (sys_list(sys, &slots, SLOTS) < 0)
		return false;
	for (size_t i = 0; i < slots.n; i++) {
		if (sys_read_line(sys, address, sizeof(address), SLOTS "/%s/address",
				  slots.items[i]) < 0 ||
		    !address[0])
			continue;
		snprintf(needle, sizeof(needle), "/%s.", address);
		if (strstr(sysfs, needle)) {
			snprintf(ret, size, "slot %s", slots.items[i]);
			return true;
		}
	}
	return false;
}

void find_location(struct sys *sys, struct device *device)
{
	char part[SYS_NAME_MAX], pci[SYS_NAME_MAX + 4];
	char *ret = device->location;
	size_t size = sizeof(device->location);

	ret[0] = '\0';
	if (device->access == ACCESS_NONE && !strcmp(device->transport, "virtual"))
		return;
	if (find_bay(sys, device->sysfs, part, sizeof(part)))
		append(ret, size, part);
	if (find_port(sys, device->sysfs, part, sizeof(part)))
		append(ret, size, part);
	if (path_component(device->sysfs, is_pci_function, part, sizeof(part))) {
		snprintf(pci, sizeof(pci), "PCI %s", part);
		append(ret, size, pci);
	}
	if (find_slot(sys, device->sysfs, part, sizeof(part)))
		append(ret, size, part);
	if (!ret[0] && sys_read_line(sys, part, sizeof(part), "%s/address", device->sysfs) == 0)
		snprintf(ret, size, "%s %s", device->transport, part);
}
