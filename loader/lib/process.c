// SPDX-License-Identifier: GPL-2.0
/* Processes, as /proc below a root shows them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clean.h"
#include "lib/file.h"
#include "lib/process.h"
#include "lib/text.h"

void process_status(int root, uint32_t pid, const char *key, char *ret, size_t size)
{
	cleanup(freep) char *text = NULL;
	char *rest, *line;

	*ret = '\0';
	if (file_read_text(root, &text, "proc/%u/status", pid) < 0)
		return;
	rest = text;
	while ((line = strsep(&rest, "\n"))) {
		if (!text_starts(line, key))
			continue;
		line += strlen(key);
		snprintf(ret, size, "%s", line + strspn(line, " \t"));
		return;
	}
}

uint32_t process_parent(int root, uint32_t pid)
{
	uint32_t parent = 0;
	char value[16];

	process_status(root, pid, "PPid:", value, sizeof(value));
	return text_to_u32(value, INT32_MAX, &parent) < 0 ? 0 : parent;
}
