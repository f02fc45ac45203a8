/* SPDX-License-Identifier: GPL-2.0 */
/* Text to numbers and words, whole or not at all. */
#ifndef LIB_TEXT_H
#define LIB_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decimal digits only: -EINVAL for anything else, -ERANGE above max. */
int text_to_u32(const char *text, uint32_t max, uint32_t *ret);

/* Hexadecimal digits only, at most 16: -EINVAL for anything else. */
int text_to_hex(const char *text, uint64_t *ret);

/* As text_to_u32(), but stops at the first other character, and moves *text there. */
int text_take_u32(const char **text, uint32_t max, uint32_t *ret);

/* The same for 64 bits. */
int text_take_u64(const char **text, uint64_t *ret);
/* Any number of 64 bits in lower-case hexadecimal, without a prefix. */
int text_take_hex(const char **text, uint64_t *ret);

/* The index of text in words, which end with NULL, or -EINVAL. */
int text_in(const char *text, const char *const *words);

bool text_starts(const char *text, const char *prefix);

/* snprintf behind what is there already; what does not fit is cut off. */
void text_append(char *text, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Cut the next line off the text, the next word off a line; NULL at the end. */
char *text_next_line(char **text);
char *text_next_word(char **line);

/* How unlike two words are (insertions, deletions, replacements, swaps). */
unsigned int text_distance(const char *a, const char *b);

#endif
