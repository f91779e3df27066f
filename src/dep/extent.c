#include "dep/extent.h"

#include "poly/coalesce.h"
#include "poly/keep.h"
#include "poly/number.h"

#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>

/* Above this many points a set that is no box is not counted. */
static const int64_t count_limit = 1000000;

/* The maximum of more pieces than this takes seconds, and is hardly ever one expression. */
static const int most_pieces = 3;

/* { T -> [x_k] } */
static __isl_give isl_map *along(__isl_keep isl_map *map, int k)
{
    const int n = (int)isl_map_dim(map, isl_dim_out);

    map = isl_map_copy(map);
    map = isl_map_project_out(map, isl_dim_out, (unsigned)(k + 1), (unsigned)(n - k - 1));
    map = isl_map_project_out(map, isl_dim_out, 0, (unsigned)k);
    return isl_map_reset_tuple_id(map, isl_dim_out);
}

/* All values between the smallest and the largest that map gives each T. */
static __isl_give isl_map *interval(__isl_keep isl_map *map)
{
    isl_space *space = isl_space_range(isl_map_get_space(map));
    isl_map *above = isl_map_apply_range(isl_map_copy(map), isl_map_lex_le(isl_space_copy(space)));
    isl_map *below = isl_map_apply_range(isl_map_copy(map), isl_map_lex_ge(space));

    return isl_map_intersect(above, below);
}

static __isl_give isl_map *box_around(__isl_keep isl_map *map)
{
    isl_map *box = isl_map_universe(isl_map_get_space(map));
    const int n = (int)isl_map_dim(map, isl_dim_out);

    for (int k = 0; k < n; k++) {
        isl_map *one = along(map, k), *side = interval(one);
        side = isl_map_insert_dims(side, isl_dim_out, 0, (unsigned)k);
        side = isl_map_insert_dims(side, isl_dim_out, (unsigned)(k + 1), (unsigned)(n - k - 1));
        box = isl_map_intersect(box, side);
        isl_map_free(one);
    }
    return isl_map_intersect_domain(box, isl_map_domain(isl_map_copy(map)));
}

static bool is_filled(__isl_keep isl_map *map)
{
    isl_map *box = box_around(map);
    const bool filled = isl_map_is_subset(box, map) == isl_bool_true;

    isl_map_free(box);
    return filled;
}

/* The only piece of a pw_aff of the parameters, if it has one piece. */
static __isl_give isl_aff *single(const struct program *program, __isl_take isl_pw_aff *pa)
{
    isl_aff *aff = NULL;

    pa = isl_pw_aff_gist_params(poly_pw_aff_coalesce(pa), isl_set_copy(program->context));
    if (isl_pw_aff_n_piece(pa) == 1) {
        isl_set *where = isl_pw_aff_domain(isl_pw_aff_copy(pa));
        pa = isl_pw_aff_gist_params(pa, where);
    }
    if (isl_pw_aff_isa_aff(pa) == isl_bool_true)
        aff = isl_pw_aff_as_aff(isl_pw_aff_copy(pa));
    isl_pw_aff_free(pa);
    return aff;
}

/* The largest of the sizes for all parameters, where that is a number. */
static __isl_give isl_aff *largest_number(const struct program *program, __isl_keep isl_set *sizes)
{
    isl_val *value = isl_set_dim_max_val(isl_set_copy(sizes), 0);
    isl_local_space *space;

    if (isl_val_is_int(value) != isl_bool_true) {
        isl_val_free(value);
        return NULL;
    }
    space = isl_local_space_from_space(isl_set_get_space(program->context));
    return isl_aff_val_on_domain(space, value);
}

/* The largest of the sizes, as one affine expression of the parameters if there is one. */
static __isl_give isl_aff *largest(const struct program *program, __isl_keep isl_set *sizes)
{
    isl_aff *aff = NULL;

    if (isl_set_n_basic_set(sizes) <= most_pieces)
        aff = single(program, isl_set_dim_max(isl_set_copy(sizes), 0));
    return aff ? aff : largest_number(program, sizes);
}

/* { [size] }: the sizes that map spans for the different T. */
static __isl_give isl_set *sizes_along(const struct program *program, __isl_take isl_map *map)
{
    isl_pw_multi_aff *high = isl_map_lexmax_pw_multi_aff(isl_map_copy(map));
    isl_pw_multi_aff *low = isl_map_lexmin_pw_multi_aff(map);
    isl_pw_multi_aff *size = isl_pw_multi_aff_sub(high, low);
    isl_pw_aff *one = isl_pw_multi_aff_get_pw_aff(size, 0);
    isl_set *sizes;

    isl_pw_multi_aff_free(size);
    one = isl_pw_aff_add_constant_val(one, isl_val_one(isl_pw_aff_get_ctx(one)));
    sizes = isl_map_range(isl_map_from_pw_aff(one));
    return poly_set_coalesce(isl_set_intersect_params(sizes, isl_set_copy(program->context)));
}

static bool is_single(__isl_keep isl_set *sizes, __isl_keep isl_aff *largest)
{
    isl_pw_aff *size = isl_pw_aff_from_aff(isl_aff_copy(largest));
    isl_set *only = isl_set_from_pw_aff(size);
    const bool is = isl_set_is_subset(sizes, only) == isl_bool_true;

    isl_set_free(only);
    return is;
}

static void measure(struct arena *arena, const struct program *program, __isl_keep isl_map *map, int k,
                    struct extent *extent)
{
    isl_set *sizes = sizes_along(program, along(map, k));

    extent->size[k] = poly_keep_aff(arena, largest(program, sizes));
    if (!extent->size[k] || !is_single(sizes, extent->size[k]))
        extent->same = false;
    isl_set_free(sizes);
}

static const struct polynomial *box_count(struct arena *arena, const struct extent *extent)
{
    const struct polynomial *count = polynomial_constant(arena, extent->program, 1);

    for (int k = 0; k < extent->n; k++) {
        const struct polynomial *size = NULL;
        if (extent->size[k])
            size = polynomial_from_aff(arena, extent->program, extent->size[k]);
        count = polynomial_product(arena, count, size);
    }
    return count;
}

/* set without its parameters; NULL when it depends on them. */
static __isl_give isl_set *without_params(const struct program *program, __isl_take isl_set *set)
{
    const unsigned n = (unsigned)isl_set_dim(set, isl_dim_param);

    set = isl_set_gist_params(set, isl_set_copy(program->context));
    if (isl_set_involves_dims(set, isl_dim_param, 0, n) != isl_bool_false)
        return isl_set_free(set);
    return isl_set_project_out(set, isl_dim_param, 0, n);
}

/* The points of a range without parameters that is no box. */
static const struct polynomial *points(struct arena *arena, const struct program *program, __isl_keep isl_map *map,
                                       const struct polynomial *box)
{
    int64_t most, value;
    isl_set *set;
    bool fits;

    if (!polynomial_is_constant(box, &most) || most > count_limit || isl_map_dim(map, isl_dim_in) != 0)
        return NULL;
    set = without_params(program, isl_map_range(isl_map_copy(map)));
    if (!set)
        return NULL;
    fits = poly_number(isl_set_count_val(set), &value);
    isl_set_free(set);
    return !fits ? NULL : polynomial_constant(arena, program, value);
}

struct extent extent_of_map(struct arena *arena, const struct program *program, __isl_take isl_map *map)
{
    const int n = (int)isl_map_dim(map, isl_dim_out);
    struct extent extent = {.program = program, .n = n, .same = true, .size = ARENA_ARRAY(arena, n + 1, isl_aff *)};

    map = isl_map_reset_tuple_id(map, isl_dim_out);
    map = poly_map_coalesce(isl_map_intersect_params(map, isl_set_copy(program->context)));
    if (isl_map_is_empty(map) == isl_bool_true)
        extent.count = polynomial_constant(arena, program, 0);
    for (int k = 0; k < n && !extent.count; k++)
        measure(arena, program, map, k, &extent);
    extent.filled = is_filled(map);
    extent.box = box_count(arena, &extent);
    if (!extent.count)
        extent.count = !extent.filled || !extent.same ? points(arena, program, map, extent.box) : extent.box;
    isl_map_free(map);
    return extent;
}

void extent_add_empty(struct extent *extent, __isl_take isl_set *times)
{
    isl_set *params = isl_set_params(times);

    for (int k = 0; k < extent->n; k++)
        if (extent->size[k])
            params =
                isl_set_subtract(params, isl_set_from_basic_set(isl_aff_zero_basic_set(isl_aff_copy(extent->size[k]))));
    params = isl_set_intersect(params, isl_set_copy(extent->program->context));
    if (isl_set_is_empty(params) != isl_bool_true) {
        extent->same = false;
        extent->count = NULL;
    }
    isl_set_free(params);
}

struct extent extent_of_set(struct arena *arena, const struct program *program, __isl_take isl_set *set)
{
    isl_set *one = isl_set_universe(isl_space_set_alloc(isl_set_get_ctx(set), 0, 0));

    one = isl_set_align_params(one, isl_set_get_space(set));
    return extent_of_map(arena, program, isl_map_from_domain_and_range(one, set));
}

__isl_give isl_map *footprint(const struct program *program, const struct array *array, __isl_keep isl_union_map *times)
{
    isl_union_map *touched = isl_union_map_empty(isl_union_map_get_space(times));

    for (int s = 0; s < program->n_statement; s++)
        for (int k = 0; k < program->statement[s]->n_access; k++) {
            const struct access *access = &program->statement[s]->access[k];
            if (access->array == array)
                touched = isl_union_map_union(touched, isl_union_map_from_map(isl_map_copy(access->map)));
        }
    touched = isl_union_map_apply_range(isl_union_map_reverse(isl_union_map_copy(times)), touched);
    if (isl_union_map_is_empty(touched) == isl_bool_false)
        return isl_map_from_union_map(touched);
    isl_union_map_free(touched);
    return NULL;
}

static void print_factor(struct text *out, const struct polynomial *size, bool only)
{
    struct text text = {0};
    bool sum;

    polynomial_print(&text, size);
    sum = !only && (strstr(text_str(&text), " + ") || strstr(text_str(&text), " - "));
    text_addf(out, sum ? "(%s)" : "%s", text_str(&text));
    text_free(&text);
}

void extent_print(struct text *out, struct arena *arena, const struct extent *extent)
{
    if (extent->n == 0)
        text_char(out, '1');
    for (int k = 0; k < extent->n; k++) {
        isl_aff *size = extent->size[k];
        text_add(out, k ? " x " : "");
        print_factor(out, size ? polynomial_from_aff(arena, extent->program, size) : NULL, extent->n == 1);
    }
}
