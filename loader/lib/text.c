// SPDX-License-Identifier: GPL-2.0
/* Text to numbers and words, whole or not at all. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/text.h"

static int take_number(const char **text, uint64_t max, uint64_t *ret)
{
	const char *at = *text;
	uint64_t value = 0;

	if (*at < '0' || *at > '9')
		return -EINVAL;
	for (; *at >= '0' && *at <= '9'; at++) {
		unsigned int digit = (unsigned int)(*at - '0');

		if (digit > max || value > (max - digit) / 10)
			return -ERANGE;
		value = value * 10 + digit;
	}
	*text = at;
	*ret = value;
	return 0;
}

int text_take_u32(const char **text, uint32_t max, uint32_t *ret)
{
	uint64_t value = 0;
	int r = take_number(text, max, &value);

	if (r == 0)
		*ret = (uint32_t)value;
	return r;
}

int text_take_u64(const char **text, uint64_t *ret)
{
	return take_number(text, UINT64_MAX, ret);
}

int text_take_hex(const char **text, uint64_t *ret)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = *text, *digit;
	uint64_t value = 0;

	for (; *at && (digit = strchr(digits, *at)); at++) {
		if (value >> 60)
			return -ERANGE;
		value = value << 4 | (uint64_t)(digit - digits);
	}
	if (at == *text)
		return -EINVAL;
	*text = at;
	*ret = value;
	return 0;
}

int text_to_u32(const char *text, uint32_t max, uint32_t *ret)
{
	uint32_t value = 0;
	int r;

	r = text_take_u32(&text, max, &value);
	if (r < 0)
		return r;
	if (*text)
		return -EINVAL;
	*ret = value;
	return 0;
}

int text_to_hex(const char *text, uint64_t *ret)
{
	size_t digits = strspn(text, "0123456789abcdefABCDEF");

	if (!digits || digits > 16 || text[digits])
		return -EINVAL;
	*ret = strtoull(text, NULL, 16);
	return 0;
}

int text_in(const char *text, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (strcmp(words[i], text) == 0)
			return i;
	return -EINVAL;
}

bool text_starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

void text_append(char *text, size_t size, const char *format, ...)
{
	size_t length = strnlen(text, size);
	va_list args;

	if (length >= size)
		return;
	va_start(args, format);
	vsnprintf(text + length, size - length, format, args);
	va_end(args);
}

char *text_next_line(char **text)
{
	char *line = strsep(text, "\n");

	/* Behind the last newline there is no line. */
	return line && (*line || *text) ? line : NULL;
}

char *text_next_word(char **line)
{
	char *word;

	do
		word = strsep(line, " \t");
	while (word && !*word);
	return word;
}

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Damerau-Levenshtein over two rows of history; words here are short. */
unsigned int text_distance(const char *a, const char *b)
{
	enum { LONGEST = 32 };
	unsigned int row[3][LONGEST + 1];
	size_t n = strlen(a), m = strlen(b);

	if (n > LONGEST || m > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= m; j++)
		row[0][j] = (unsigned int)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned int *now = row[i % 3], *last = row[(i + 2) % 3];

		now[0] = (unsigned int)i;
		for (size_t j = 1; j <= m; j++) {
			now[j] = least(last[j], now[j - 1]) + 1;
			now[j] = least(now[j], last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				now[j] = least(now[j], row[(i + 1) % 3][j - 2] + 1);
		}
	}
	return row[n % 3][m];
}
