// SPDX-License-Identifier: GPL-2.0
/* A capture file: frame after frame, in constant memory. */
#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "explain/capture.h"
#include "lib/clean.h"
#include "lib/say.h"

#ifndef DLT_DSA_TAG_BRCM /* libpcap 1.9 */
#define DLT_DSA_TAG_BRCM 281
#define DLT_DSA_TAG_BRCM_PREPEND 282
#endif
#ifndef DLT_DSA_TAG_DSA /* libpcap 1.9.1 */
#define DLT_DSA_TAG_DSA 284
#define DLT_DSA_TAG_EDSA 285
#endif

enum { PROGRESS_EVERY = 1 << 14, BAR = 30 };

struct capture {
	pcap_t *pcap;
	const char *path;
	uint64_t number;
	uint64_t size; /* bytes of the file; 0: a pipe */
	bool terminal;
};

static const struct {
	int link_type;
	const char *dsa;
} link_types[] = {
	{ DLT_EN10MB, NULL },
	{ DLT_DSA_TAG_BRCM, "brcm" },
	{ DLT_DSA_TAG_BRCM_PREPEND, "brcm-prepend" },
	{ DLT_DSA_TAG_DSA, "dsa" },
	{ DLT_DSA_TAG_EDSA, "edsa" },
};

static int check_link_type(const struct capture *capture, const char **ret_dsa)
{
	int type = pcap_datalink(capture->pcap);
	const char *name = pcap_datalink_val_to_name(type);

	for (size_t i = 0; i < sizeof(link_types) / sizeof(link_types[0]); i++) {
		if (link_types[i].link_type != type)
			continue;
		*ret_dsa = link_types[i].dsa;
		return 0;
	}
	return fail(-EINVAL,
		    "%s: frames of the link type %s, where XDP sees Ethernet; capture on the "
		    "Ethernet interface itself",
		    capture->path, name ? name : "(unknown)");
}

int capture_open(const char *path, struct capture **ret, const char **ret_dsa)
{
	cleanup(capture_close) struct capture *capture = calloc(1, sizeof(*capture));
	char why[PCAP_ERRBUF_SIZE] = "";
	struct stat st;
	int r;

	if (!capture)
		return fail(-ENOMEM, "out of memory");
	capture->path = path;
	capture->pcap = pcap_open_offline(path, why);
	if (!capture->pcap)
		return fail(-EINVAL, "cannot read the capture '%s': %s", path, why);
	if (fstat(fileno(pcap_file(capture->pcap)), &st) == 0 && S_ISREG(st.st_mode))
		capture->size = (uint64_t)st.st_size;
	capture->terminal = isatty(STDERR_FILENO);
	r = check_link_type(capture, ret_dsa);
	if (r == 0)
		*ret = take(capture);
	return r;
}

void capture_close(struct capture **capture)
{
	if (!*capture)
		return;
	if ((*capture)->pcap)
		pcap_close((*capture)->pcap);
	free(*capture);
}

int capture_next(struct capture *capture, struct capture_frame *ret)
{
	struct pcap_pkthdr *header;
	const u_char *data;
	int r = pcap_next_ex(capture->pcap, &header, &data);

	if (r == PCAP_ERROR_BREAK)
		return 0;
	if (r < 0)
		return fail(-EIO, "%s: behind frame %llu: %s", capture->path,
			    (unsigned long long)capture->number, pcap_geterr(capture->pcap));
	*ret = (struct capture_frame){ .number = ++capture->number,
				       .length = header->len,
				       .caplen = header->caplen,
				       .data = data };
	return 1;
}

void capture_progress(struct capture *capture, bool last)
{
	long at = ftell(pcap_file(capture->pcap));
	int done;

	if (!capture->terminal || !capture->size || (!last && capture->number % PROGRESS_EVERY))
		return;
	done = last || at < 0 ? BAR : (int)((uint64_t)at * BAR / capture->size);
	fprintf(stderr, last ? "\r\033[K" : "\r[%.*s%*s] %llu frames", done,
		"##############################", BAR - done, "",
		(unsigned long long)capture->number);
}
