// SPDX-License-Identifier: GPL-2.0
/* Small files, read and written whole. Paths are below a root: a directory fd. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/clean.h"
#include "lib/file.h"
#include "lib/say.h"
#include "lib/text.h"

int root_open(const char *path)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int read_line(int root, char *ret, size_t size, const char *path)
{
	cleanup(closep) int fd = openat(root, path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = read(fd, ret, size - 1);
	if (n < 0)
		return -errno;
	ret[n] = '\0';
	ret[strcspn(ret, "\n")] = '\0';
	return 0;
}

#define FORMAT_PATH(path, format)                                 \
	do {                                                      \
		va_list args_;                                    \
		va_start(args_, format);                          \
		vsnprintf((path), sizeof(path), (format), args_); \
		va_end(args_);                                    \
	} while (0)

int file_read_line(int root, char *ret, size_t size, const char *path, ...)
{
	char where[PATH_MAX];

	FORMAT_PATH(where, path);
	return read_line(root, ret, size, where);
}

int file_read_u32(int root, uint32_t *ret, const char *path, ...)
{
	char where[PATH_MAX], line[32];
	int r;

	FORMAT_PATH(where, path);
	r = read_line(root, line, sizeof(line), where);
	if (r < 0)
		return r;
	return text_to_u32(line, UINT32_MAX, ret);
}

static int read_text(int root, char **ret, const char *path)
{
	enum { MOST = 1 << 20 };
	cleanup(closep) int fd = openat(root, path, O_RDONLY | O_CLOEXEC);
	cleanup(freep) char *text = NULL;
	size_t length = 0;
	ssize_t n = 1;

	if (fd < 0)
		return -errno;
	for (size_t size = 4096; n > 0; size *= 2) {
		char *more = size <= MOST ? realloc(text, size) : NULL;

		if (!more)
			return size <= MOST ? -ENOMEM : -EFBIG;
		text = more;
		while (length < size - 1 && (n = read(fd, text + length, size - 1 - length)) > 0)
			length += (size_t)n;
	}
	if (n < 0)
		return -errno;
	text[length] = '\0';
	*ret = take(text);
	return 0;
}

int file_read_text(int root, char **ret, const char *path, ...)
{
	char where[PATH_MAX];

	FORMAT_PATH(where, path);
	return read_text(root, ret, where);
}

int file_write(int root, const char *text, const char *path, ...)
{
	cleanup(closep) int fd = -1;
	char where[PATH_MAX];

	FORMAT_PATH(where, path);
	fd = openat(root, where, O_WRONLY | O_CLOEXEC);
	return fd < 0 || write(fd, text, strlen(text)) < 0 ? -errno : 0;
}

static int by_name(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

int directory_visit(int root, const char *path, void (*visit)(const char *name, void *data),
		    void *data)
{
	int fd = openat(root, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup(closedirp) DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	char **names = NULL, **more;
	struct dirent *entry;
	size_t count = 0;

	if (!dir)
		return errno == ENOENT ? 0 : -errno;
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		more = realloc(names, (count + 1) * sizeof(*names));
		if (!more)
			break;
		names = more;
		names[count] = strdup(entry->d_name);
		count += names[count] != NULL;
	}
	qsort(names, count, sizeof(*names), by_name);
	for (size_t i = 0; i < count; i++) {
		visit(names[i], data);
		free(names[i]);
	}
	free(names);
	return 0;
}

int file_link_name(int root, char *ret, size_t size, const char *path, ...)
{
	char where[PATH_MAX], to[PATH_MAX];
	const char *slash;
	ssize_t n;

	FORMAT_PATH(where, path);
	n = readlinkat(root, where, to, sizeof(to) - 1);
	if (n < 0)
		return -errno;
	to[n] = '\0';
	slash = strrchr(to, '/');
	snprintf(ret, size, "%s", slash ? slash + 1 : to);
	return 0;
}

int file_read_all(const char *path, size_t max, char **ret, size_t *ret_size)
{
	cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	cleanup(freep) char *text = malloc(max + 1);
	size_t size = 0;
	ssize_t n;

	if (fd < 0)
		return -errno;
	if (!text)
		return -ENOMEM;
	while ((n = read(fd, text + size, max + 1 - size)) > 0)
		size += (size_t)n;
	if (n < 0)
		return -errno;
	if (size > max)
		return -EFBIG;
	text[size] = '\0';
	*ret = take(text);
	*ret_size = size;
	return 0;
}

bool file_exists(int root, const char *path, ...)
{
	char where[PATH_MAX];

	FORMAT_PATH(where, path);
	return faccessat(root, where, F_OK, 0) == 0;
}

int file_replace(const char *path, void (*write)(FILE *out, const void *data), const void *data)
{
	char beside[PATH_MAX];
	FILE *out;
	int fd, r = 0;

	snprintf(beside, sizeof(beside), "%s.XXXXXX", path);
	fd = mkostemp(beside, O_CLOEXEC);
	out = fd < 0 ? NULL : fdopen(fd, "w");
	if (!out)
		return fail(-errno, "cannot write beside '%s': %s", path, strerror(errno));
	write(out, data);
	/* Its readers are not root. */
	if (fflush(out) != 0 || fchmod(fd, 0644) < 0 || fclose(out) != 0 ||
	    rename(beside, path) < 0)
		r = fail(-errno, "cannot write '%s': %s", path, strerror(errno));
	if (r < 0)
		unlink(beside);
	return r;
}

int directory_make(const char *path)
{
	char part[PATH_MAX];

	snprintf(part, sizeof(part), "%s", path);
	for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(part, 0700) < 0 && errno != EEXIST)
			return -errno;
		*slash = '/';
	}
	return mkdir(part, 0700) < 0 && errno != EEXIST ? -errno : 0;
}
