// SPDX-License-Identifier: GPL-2.0
/* Tell the service manager how it goes, as sd_notify(3) does; without one, nothing. */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "lib/clean.h"
#include "lib/notify.h"
#include "lib/text.h"

static void send_text(const char *path, const char *text)
{
	cleanup(closep) int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = strlen(path);

	/* A path, or a name without one, which begins with a zero byte and an @ stands for that. */
	if (fd < 0 || length >= sizeof(address.sun_path) || (*path != '/' && *path != '@'))
		return;
	memcpy(address.sun_path, path, length);
	if (*path == '@')
		address.sun_path[0] = '\0';
	sendto(fd, text, strlen(text), MSG_NOSIGNAL, (struct sockaddr *)&address,
	       (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
}

void notify(const char *format, ...)
{
	const char *path = getenv("NOTIFY_SOCKET");
	char text[512];
	va_list args;

	if (!path)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	send_text(path, text);
}

/* The time tells this reload from the one before. */
void notify_reloading(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	notify("RELOADING=1\nMONOTONIC_USEC=%llu",
	       (unsigned long long)now.tv_sec * 1000000 + (unsigned long long)now.tv_nsec / 1000);
}

/* WATCHDOG_PID: whom it is for, when it is in the environment of a child, too. */
uint64_t notify_watchdog_us(void)
{
	const char *text = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
	uint32_t whose;
	uint64_t us;

	if (!text || text_take_u64(&text, &us) < 0 || *text)
		return 0;
	if (pid && (text_to_u32(pid, UINT32_MAX, &whose) < 0 || (pid_t)whose != getpid()))
		return 0;
	return us;
}
