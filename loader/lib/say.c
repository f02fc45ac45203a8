// SPDX-License-Identifier: GPL-2.0
/* What the tool says to people (stderr), and the kinds of failure it knows. */
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xdp/libxdp.h>

#include "lib/say.h"

int exit_status(int result)
{
	switch (result) {
	case 0:
		return 0;
	case -E_USAGE:
		return 2;
	case -E_CHECK:
		return 3;
	case -E_REFUSED:
		return 4;
	case -ENODEV:
	case -EBUSY:
	case -EAGAIN:
		return 5;
	default:
		return 1;
	}
}

static void say(const char *format, va_list args)
{
	fputs("xdp-cpumap: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

int fail(int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
	return err;
}

void warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("xdp-cpumap: warning: ", stderr);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
}

void note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args);
	va_end(args);
}

int because(struct reason *why, int err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why->text, sizeof(why->text), format, args);
	va_end(args);
	return err;
}

static char said[512];
static bool talkative;

/*
 * Keep what the kernel put into the netlink answer, else the first complaint:
 * the later ones tell what libbpf did about it.
 */
static void keep(const char *format, va_list args)
{
	static const char extack[] = "Kernel error message: ";
	char line[512];
	const char *text;

	vsnprintf(line, sizeof(line), format, args);
	line[strcspn(line, "\n")] = '\0';
	if (talkative)
		fprintf(stderr, "  %s\n", line);
	text = strstr(line, extack);
	if (text)
		snprintf(said, sizeof(said), "%s", text + strlen(extack));
}

static int libbpf_line(enum libbpf_print_level level, const char *format, va_list args)
{
	if (level == LIBBPF_WARN || talkative)
		keep(format, args);
	return 0;
}

static int libxdp_line(enum libxdp_print_level level, const char *format, va_list args)
{
	if (level == LIBXDP_WARN || talkative)
		keep(format, args);
	return 0;
}

void libraries_silence(void)
{
	talkative = getenv("XDP_CPUMAP_DEBUG");
	libbpf_set_print(libbpf_line);
	libxdp_set_print(libxdp_line);
}

void kernel_said_clear(void)
{
	said[0] = '\0';
}

const char *kernel_said(void)
{
	return said;
}
