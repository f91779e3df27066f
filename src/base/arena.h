/* Arena: memory that lives as long as one compilation and is freed as a whole.
 *
 * Everything polynest builds for one description (program, order, loop tree, messages) is
 * allocated here; only isl objects and growing texts have owners of their own.
 * When the system has no memory left the process is ended by abort(): that is not an input error.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;
struct arena_block;

struct arena *arena_new(void);
void arena_free(struct arena *arena); /* NULL is allowed */

/* n objects of size bytes each, zeroed, aligned for any type. */
void *arena_alloc(struct arena *arena, size_t n, size_t size);
char *arena_copy(struct arena *arena, const char *text);
char *arena_copy_n(struct arena *arena, const char *text, size_t size);
char *arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *arena, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/* Where an arena is: what is allocated from there on can be given back at once. */
struct arena_mark {
    struct arena_block *block, *next;
    size_t used;
};

struct arena_mark arena_mark(const struct arena *arena);
/* Gives back all that was allocated since the mark, of which nothing may be in use any more. arena_on_free must not
 * have been called in between. */
void arena_rewind(struct arena *arena, struct arena_mark mark);

/* Calls release(object) when the arena is freed, in reverse order of registration.
 * That is how isl objects kept in arena structures are given back. */
void arena_on_free(struct arena *arena, void (*release)(void *object), void *object);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), 1, sizeof(type)))
#define ARENA_ARRAY(arena, n, type) ((type *)arena_alloc((arena), (size_t)(n), sizeof(type)))

#endif
