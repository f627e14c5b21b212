/* The rungs that C code stands on, with the fold of src/fold.rs: the same work a line. */

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fold {
	uint64_t lines;
	uint64_t sum;
};

/* Without its terminator. */
static inline void fold_line(struct fold *fold, const char *line, size_t len)
{
	uint64_t first = len ? (unsigned char)line[0] : 0;

	fold->lines++;
	fold->sum = ((fold->sum << 5) | (fold->sum >> 59)) + ((uint64_t)len << 8 | first);
}

struct line {
	char *bytes;
	size_t len, room;
};

static void push(struct line *line, int byte)
{
	if (line->len == line->room) {
		line->room = line->room ? 2 * line->room : 128;
		line->bytes = realloc(line->bytes, line->room);
		if (!line->bytes)
			abort();
	}
	line->bytes[line->len++] = (char)byte;
}

/* A lock a byte. */
void c_getc(FILE *file, struct fold *fold)
{
	struct line line = { 0 };
	int byte;

	while ((byte = getc(file)) != EOF) {
		if (byte != '\n') {
			push(&line, byte);
			continue;
		}
		fold_line(fold, line.bytes, line.len);
		line.len = 0;
	}
	if (line.len)
		fold_line(fold, line.bytes, line.len);
	free(line.bytes);
}

/* A lock a line; the compiler puts the macro in, which looks into the stream's buffer. */
void c_getc_unlocked(FILE *file, struct fold *fold)
{
	struct line line = { 0 };
	int byte;

	do {
		line.len = 0;
		flockfile(file);
		while ((byte = getc_unlocked(file)) != EOF && byte != '\n')
			push(&line, byte);
		funlockfile(file);
		if (byte != EOF || line.len)
			fold_line(fold, line.bytes, line.len);
	} while (byte != EOF);
	free(line.bytes);
}

void c_getdelim(FILE *file, struct fold *fold)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t len;

	while ((len = getdelim(&line, &room, '\n', file)) > 0)
		fold_line(fold, line, (size_t)len - (line[len - 1] == '\n'));
	free(line);
}

/* The same with what POSIX wants of a caller who is to tell an error from the end. */
void c_getdelim_checked(FILE *file, struct fold *fold)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t len;

	for (;;) {
		errno = 0;
		len = getdelim(&line, &room, '\n', file);
		if (len > 0 && line[len - 1] == '\n') {
			fold_line(fold, line, (size_t)len - 1);
			continue;
		}
		if (ferror(file) || (len < 0 && !feof(file)))
			abort();
		if (len < 0)
			break;
		fold_line(fold, line, (size_t)len);
	}
	free(line);
}

/* Not NUL-clean: a line is over at its first NUL. Nor are longer lines than the buffer put together. */
void c_fgets(FILE *file, struct fold *fold)
{
	static char line[1 << 20];
	size_t len;

	while (fgets(line, sizeof(line), file)) {
		len = strlen(line);
		fold_line(fold, line, len - (len && line[len - 1] == '\n'));
	}
}
