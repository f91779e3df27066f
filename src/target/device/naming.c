/* Names that a device's file cannot have: what the language's headers declare. */
#include "target/device/file.h"

#include "tree/layout.h"
#include "tree/visit.h"

#include <string.h>

/* A name, and where the user chose it. */
struct named {
    const char *name;
    struct place place;
};

/* All that the file declares: arguments first. */
typedef VEC(struct named) named_list;

struct gathering {
    struct arena *arena;
    named_list *list;
};

static void note_loop(const struct node *node, void *user)
{
    struct gathering *gathering = user;

    if (node->kind == NODE_LOOP || node->kind == NODE_VALUE)
        VEC_PUSH(gathering->arena, gathering->list, ((struct named){node->var->name, PLACE_NONE}));
    for (int k = 0; k < node->n_part; k++)
        VEC_PUSH(gathering->arena, gathering->list, ((struct named){node->part[k].var->name, PLACE_NONE}));
}

static void gather_arrays(struct arena *arena, const struct program *program, bool arguments, named_list *list)
{
    for (int k = 0; k < program->n_array; k++)
        if (array_is_argument(&program->array[k]) == arguments)
            VEC_PUSH(arena, list, ((struct named){program->array[k].name, program->array[k].place}));
}

static named_list declared_names(const struct device_file *file)
{
    const struct program *program = file->c.unit->program;
    struct arena *arena = file->c.emitter.arena;
    named_list list = {0};
    struct gathering gathering = {arena, &list};

    for (int k = 0; k < program->n_param; k++)
        VEC_PUSH(arena, &list, ((struct named){program->param[k].name, program->param[k].place}));
    for (int k = 0; k < program->n_scalar; k++)
        VEC_PUSH(arena, &list, ((struct named){program->scalar[k].name, program->scalar[k].place}));
    gather_arrays(arena, program, true, &list);
    gather_arrays(arena, program, false, &list);
    node_for_each(file->c.unit->tree, note_loop, &gathering);
    return list;
}

/* hipMalloc and the like; of CUDA they are reserved everywhere. */
static bool has_prefix(const struct device_file *file, const char *name)
{
    const size_t size = strlen(file->words->prefix);

    return strncmp(name, file->words->prefix, size) == 0 && name[size] >= 'A' && name[size] <= 'Z';
}

const char *device_unusable_name(const struct device_file *file, struct place *place)
{
    const struct program *program = file->c.unit->program;
    struct arena *arena = file->c.emitter.arena;
    const named_list list = declared_names(file);
    const char *title = file->words->title;

    for (int k = 0; k < list.n; k++) {
        const char *name = list.at[k].name;
        *place = list.at[k].place;
        if (device_is_macro(name) || has_prefix(file, name))
            return arena_printf(arena, "`%s` is a macro of %s's headers: another name is needed", name, title);
    }
    for (int k = 0; k < program->n_array; k++)
        if (*place = program->array[k].place,
            program->array[k].role == ROLE_CONST && file->c.array_used[k] && device_is_global(program->array[k].name))
            return arena_printf(arena, "%s's headers declare `%s`: the constant array needs another name", title,
                                program->array[k].name);
    *place = PLACE_NONE;
    if (device_is_global(file->c.unit->name) || device_is_macro(file->c.unit->name) ||
        has_prefix(file, file->c.unit->name))
        return arena_printf(arena, "%s's headers declare `%s`: the function needs another name", title,
                            file->c.unit->name);
    return NULL;
}
