// SPDX-License-Identifier: GPL-2.0
/* Where facts come from: files below a root, and the kernel's answers. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "facts/source.h"
#include "lib/clean.h"
#include "lib/file.h"

const struct question questions[] = {
	{ "driver", true, ask_driver },
	{ "features", true, ask_features },
	{ "channels", true, ask_channels },
	{ "rings", true, ask_rings },
	{ "coalesce", true, ask_coalesce },
	{ "flow-hash", true, ask_flow_hash },
	{ "xdp-features", true, ask_xdp_features },
	{ "napis", true, ask_napis },
	{ "program", true, ask_program },
	{ "shapers", false, ask_shapers },
	{ "session", false, ask_session },
	{ "process", false, ask_process },
	{ "kernel", false, ask_kernel },
	{ "fixed-irqs", false, ask_fixed_irqs },
	{ 0 },
};

static char *read_answer(const struct source *source, const char *question, const char *iface)
{
	char *text = NULL;

	if (file_read_text(source->root, &text, "asked/%s%s%s", iface ? iface : "",
			   iface ? "/" : "", question) < 0)
		return strdup("");
	return text;
}

static const struct question *find(const char *name)
{
	const struct question *question = questions;

	while (strcmp(question->name, name) != 0)
		question++;
	return question;
}

char *source_ask(const struct source *source, const char *question, const char *iface)
{
	char *text = NULL;
	size_t size;
	FILE *out;

	if (source->captured)
		return read_answer(source, question, iface);
	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	find(question)->ask(source, iface, out);
	fclose(out);
	return text;
}
