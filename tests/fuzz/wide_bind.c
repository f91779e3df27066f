/* Programs for a GPU: the loops of any nests on blocks and threads, and copies in their memories. */
#include "wide.h"

#include <string.h>

/* Two loops of a nest, one inside of the other, or one. */
static void draw_bind(struct wide *wide, const struct wide_nest *nest, int block, int thread)
{
    static const char *const axes = "xyz";
    char axis = axes[chance(wide, 80) ? 0 : pick(wide, 3)];
    struct wide_step *step;

    if (axis == 'z' && thread > block && !nest->literal[thread])
        axis = 'y'; /* of z there are 64 threads at most */
    step = step_add(wide, true, "{\"bind\": {\"%s\": \"block.%c\"", nest->now[block], axis);
    if (thread > block)
        text_addf(&step->text, ", \"%s\": \"thread.%c\"", nest->now[thread], axis);
    text_addf(&step->text, "}%s}", chance(wide, 15) ? ", \"blocks\": 3" : "");
    step->features.has[WIDE_BIND] = true;
}

/* The first array that the nest's first statement reads; NULL: none. */
static const struct wide_array *array_read(const struct wide_nest *nest)
{
    const struct term *term =
        nest->block.n_item && nest->block.item[0].statement ? nest->block.item[0].statement->value : NULL;

    while (term && term->form != FORM_ACCESS)
        term = term->n_arg ? term->arg[0] : NULL;
    return term && term->array->n_dim ? term->array : NULL;
}

static void draw_copy(struct wide *wide, const struct wide_nest *nest, int thread)
{
    static const char *const memories[] = {"shared", "shared", "local", "register"};
    const struct wide_array *array = array_read(nest);

    if (array)
        step_add(wide, true, "{\"cache\": \"%s\", \"at\": \"%s\", \"as\": \"%.12s_tile\", \"memory\": \"%s\"}",
                 array->name, nest->now[thread], array->name, memories[pick(wide, 4)])
            ->features.has[WIDE_CACHE] = true;
}

/* The first loop in pieces, so that blocks have several threads. */
static void split_first(struct wide *wide, struct wide_nest *nest)
{
    char name[24], plain[24];

    if (nest->n_now + 1 >= MAX_NEST_LOOPS)
        return;
    snprintf(plain, sizeof(plain), "%.10s_thread", nest->now[0]);
    name_draw(wide, name, sizeof(name), plain);
    step_add(wide, false, "{\"split\": \"%s\", \"by\": %d, \"as\": \"%s\"}", nest->now[0], 4 << pick(wide, 4), name)
        ->features.has[WIDE_SPLIT] = true;
    memmove(nest->now[2], nest->now[1], sizeof(nest->now[0]) * (size_t)(nest->n_now - 1));
    memmove(nest->literal + 2, nest->literal + 1, sizeof(bool) * (size_t)(nest->n_now - 1));
    snprintf(nest->now[1], sizeof(nest->now[0]), "%s", name);
    nest->literal[1] = true;
    nest->n_now++;
}

void bind_draw(struct wide *wide)
{
    for (int k = 0; k < wide->n_nest; k++) {
        struct wide_nest *nest = &wide->nest[k];
        if (!nest->n_now || chance(wide, 10))
            continue;
        if (nest->n_now == 1 || chance(wide, 40))
            split_first(wide, nest);
        const int block = chance(wide, 85) ? 0 : pick(wide, nest->n_now),
                  thread = block + 1 < nest->n_now && chance(wide, 85) ? block + 1 : block;
        draw_bind(wide, nest, block, thread);
        if (chance(wide, 30))
            draw_copy(wide, nest, thread);
    }
}

void wide_devices(struct wide *wide)
{
    const int kind = pick(wide, 100);

    wide->devices = true;
    if (kind < 15)
        wide_cores(wide);
    else if (kind < 55)
        wide_stages(wide);
    else
        wide_free(wide);
}
