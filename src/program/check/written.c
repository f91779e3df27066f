#include "program/check/written.h"

#include "poly/coalesce.h"
#include "program/show.h"

#include <string.h>

enum { LONGEST = 120 };

static __isl_give isl_set *written_elements(const struct program *program, const struct array *array)
{
    isl_set *written = isl_set_empty(isl_set_get_space(array->elements));

    for (int s = 0; s < program->n_statement; s++)
        for (int k = 0; k < program->statement[s]->n_access; k++) {
            const struct access *access = &program->statement[s]->access[k];
            if (access->array == array && access->write && !access->may)
                written = isl_set_union(written, isl_map_range(isl_map_copy(access->map)));
        }
    return poly_set_coalesce(isl_set_intersect_params(written, isl_set_copy(program->context)));
}

static const char *short_text(struct arena *arena, __isl_take isl_set *written)
{
    struct text text = {0};
    const char *result = "";

    if (isl_set_n_basic_set(written) == 1 && isl_set_is_empty(written) == isl_bool_false)
        show_set(&text, written);
    if (text.size <= LONGEST && !strstr(text_str(&text), "exists"))
        result = arena_copy(arena, text_str(&text));
    isl_set_free(written);
    text_free(&text);
    return result;
}

bool array_is_all_written(const struct program *program, const struct array *array)
{
    isl_set *elements = isl_set_intersect_params(isl_set_copy(array->elements), isl_set_copy(program->context));
    isl_set *written = written_elements(program, array);
    const bool all = isl_set_is_subset(elements, written) == isl_bool_true;

    isl_set_free(elements);
    isl_set_free(written);
    return all;
}

static const char *contract(struct arena *arena, const struct program *program, const struct array *array)
{
    isl_set *elements, *written;

    if (array_is_all_written(program, array))
        return NULL;
    elements = isl_set_intersect_params(isl_set_copy(array->elements), isl_set_copy(program->context));
    written = written_elements(program, array);
    return short_text(arena, poly_set_coalesce(isl_set_gist(written, elements)));
}

const char *const *program_written(struct arena *arena, const struct program *program)
{
    const char **text = ARENA_ARRAY(arena, program->n_array, const char *);

    for (int k = 0; k < program->n_array; k++)
        if (program->array[k].role == ROLE_OUT && program->array[k].n_dim > 0)
            text[k] = contract(arena, program, &program->array[k]);
    return text;
}
