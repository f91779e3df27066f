#include "plan/cache/copying.h"

#include "caps/gpu.h"
#include "dep/dependence.h"
#include "plan/device/kernels.h"
#include "poly/coalesce.h"
#include "poly/keep.h"
#include "program/expr/index_expr.h"
#include "program/rewrite.h"
#include "sched/program_step.h"

#include <isl/constraint.h>
#include <isl/id.h>
#include <isl/space.h>
#include <isl/val.h>

#include <string.h>

struct expr *copies_expr(const struct copies *copies, enum expr_kind kind)
{
    struct expr *expr = ARENA_NEW(copies->schedule->arena, struct expr);

    expr->kind = kind;
    expr->place = copies->buffer->step->place;
    return expr;
}

struct expr *copies_access(const struct copies *copies, const struct array *array, struct expr **arg, int n)
{
    struct expr *expr = copies_expr(copies, EXPR_ACCESS);

    expr->type = array->type;
    expr->array = array;
    expr->arg = arg;
    expr->n_arg = n;
    return expr;
}

static struct expr *loop_expr(const struct copies *copies, int loop)
{
    struct expr *expr = copies_expr(copies, EXPR_LOOP);

    expr->loop = loop;
    return expr;
}

/* Extents of the iterations in front are never printed, contraction takes them away. */
static struct expr **buffer_shape(const struct copies *copies)
{
    const struct buffer *buffer = copies->buffer;
    struct arena *arena = copies->schedule->arena;
    struct expr **shape = ARENA_ARRAY(arena, copies_rank(copies) + 1, struct expr *);
    const int depth = copies_depth(copies);

    for (int k = 0; k < depth; k++)
        shape[k] = index_constant(arena, 1);
    for (int k = 0; k < buffer->n_digit; k++) {
        const struct digit *digit = &buffer->digit[k];
        shape[depth + k] = digit->extent ? digit->extent : index_constant(arena, digit->size);
    }
    if (buffer->n_digit > 0 && buffer->options.pad > 0)
        shape[depth + buffer->n_digit - 1] =
            index_binary(arena, shape[depth + buffer->n_digit - 1], OP_ADD, buffer->options.pad);
    return shape;
}

static const bool *fine_dimensions(const struct copies *copies)
{
    const struct buffer *buffer = copies->buffer;
    bool *fine = ARENA_ARRAY(copies->schedule->arena, copies_rank(copies) + 1, bool);

    for (int k = 0; k < buffer->n_digit; k++)
        fine[copies_depth(copies) + k] = digit_coarser(buffer, &buffer->digit[k]) != 0;
    return fine;
}

static void add_array(struct copies *copies)
{
    const struct buffer *buffer = copies->buffer;
    const struct buffer_options *options = &buffer->options;
    struct array *array = copies->array = program_add_array(copies->schedule->arena, copies->program);

    *array = (struct array){.name = copies->name,
                            .place = buffer->step->place,
                            .role = ROLE_TEMP,
                            .type = options->type,
                            .n_dim = copies_rank(copies),
                            .n_iteration = copies_depth(copies),
                            .is_buffer = !copies->nests,
                            .is_fine = fine_dimensions(copies),
                            .in_registers = options->in_registers,
                            .asynchronous = options->asynchronous,
                            .align = options->align,
                            .memory = options->memory,
                            .values = type_is_float(options->type) ? NULL : copies->buffer->array->values,
                            .shape = buffer_shape(copies)};
}

static const char **copy_names(const struct copies *copies)
{
    const char **name = ARENA_ARRAY(copies->schedule->arena, copies_rank(copies) + 1, const char *);

    for (int k = 0; k < copies_rank(copies); k++)
        name[k] = k < copies_depth(copies) ? copies->buffer->path.loop[k]->info->name
                                           : copies->buffer->digit[k - copies_depth(copies)].name;
    return name;
}

/* set without floors other than those of the context, where these exclude nothing more than its other constraints
 * do. */
static __isl_give isl_set *without_floors(__isl_take isl_set *set, __isl_keep isl_set *context)
{
    isl_set *plain;

    if (isl_set_involves_locals(set) != isl_bool_true)
        return set;
    plain = isl_set_remove_redundancies(isl_set_remove_divs(isl_set_copy(set)));
    plain = isl_set_intersect_params(plain, isl_set_copy(context));
    if (isl_set_is_subset(plain, set) == isl_bool_true) {
        isl_set_free(set);
        return plain;
    }
    isl_set_free(plain);
    return set;
}

/* { label[c, y] } where place puts the elements of { [c, m] -> A[a] } */
static isl_set *copy_domain(const struct copies *copies, const char *label, __isl_take isl_map *elements)
{
    isl_set *set = isl_set_flatten(isl_map_wrap(isl_map_reset_tuple_id(elements, isl_dim_out)));

    set = isl_set_apply(set, isl_map_reverse(isl_map_copy(copies->buffer->place)));
    set = isl_set_remove_redundancies(without_floors(poly_set_coalesce(set), copies->program->context));
    set = isl_set_set_tuple_name(set, label);
    return poly_keep_set(copies->schedule->arena, set);
}

static struct expr *buffer_expr(const struct copies *copies)
{
    struct expr **arg = ARENA_ARRAY(copies->schedule->arena, copies_rank(copies) + 1, struct expr *);

    for (int k = 0; k < copies_rank(copies); k++)
        arg[k] = loop_expr(copies, k);
    return copies_access(copies, copies->array, arg, copies_rank(copies));
}

static struct expr *array_expr(const struct copies *copies, bool *good)
{
    const int n = copies->original->n_dim, first = copies->buffer->n_between;
    struct expr **arg = ARENA_ARRAY(copies->schedule->arena, n + 1, struct expr *);

    for (int d = 0; d < n; d++) {
        isl_aff *aff = isl_multi_aff_get_aff(copies->buffer->first, first + d);
        arg[d] = index_expr_of(copies->schedule->arena, copies->program, isl_pw_aff_from_aff(aff));
        *good = *good && arg[d];
    }
    return copies_access(copies, copies->original, arg, n);
}

static isl_map *buffer_map(const struct copies *copies, __isl_keep isl_set *domain)
{
    isl_map *map = isl_map_identity(isl_space_map_from_set(isl_set_get_space(domain)));

    map = isl_map_set_tuple_name(map, isl_dim_out, copies->name);
    return poly_keep_map(copies->schedule->arena, isl_map_intersect_domain(map, isl_set_copy(domain)));
}

static isl_map *array_map(const struct copies *copies, __isl_keep isl_set *domain)
{
    isl_map *map = isl_map_from_multi_aff(isl_multi_aff_copy(copies->buffer->first));

    map = isl_map_project_out(map, isl_dim_out, 0, (unsigned)copies->buffer->n_between);
    map = isl_map_set_tuple_name(map, isl_dim_out, copies->original->name);
    map = isl_map_set_tuple_id(map, isl_dim_in, isl_set_get_tuple_id(domain));
    return poly_keep_map(copies->schedule->arena, isl_map_intersect_domain(map, isl_set_copy(domain)));
}

/* label: to = from for all of domain, added behind the statements of program. */
static struct statement *add_statement(struct copies *copies, const char *label, isl_set *domain, bool fills)
{
    struct program *program = copies->program;
    struct statement *statement = ARENA_NEW(copies->schedule->arena, struct statement);
    struct access *access = ARENA_ARRAY(copies->schedule->arena, 2, struct access);
    bool good = true;
    struct expr *in_buffer = buffer_expr(copies), *in_array = array_expr(copies, &good);

    if (!good)
        return NULL;
    *statement = (struct statement){.index = program->n_statement,
                                    .label = label,
                                    .place = copies->buffer->step->place,
                                    .nest = program->statement[copies->region->list.at[0].statement]->nest,
                                    .loop_name = copy_names(copies),
                                    .n_loop = copies_rank(copies),
                                    .target = fills ? in_buffer : in_array,
                                    .op = OP_NONE,
                                    .value = fills ? in_array : in_buffer,
                                    .domain = domain,
                                    .access = access,
                                    .n_access = 2,
                                    .is_copy = !copies->nests,
                                    .copies = copies->name};
    access[fills ? 0 : 1] =
        (struct access){.array = copies->array, .expr = in_buffer, .map = buffer_map(copies, domain), .write = fills};
    access[fills ? 1 : 0] =
        (struct access){.array = copies->original, .expr = in_array, .map = array_map(copies, domain), .write = !fills};
    program->statement[program->n_statement++] = statement;
    return statement;
}

/* The copy of elements; none when there are none. False after reporting. */
static bool add_copy(struct copies *copies, const char *suffix, __isl_take isl_map *elements, bool fills,
                     struct statement **statement)
{
    const char *label = arena_printf(copies->schedule->arena, "%s_%s", copies->name, suffix);
    const bool none = isl_map_is_empty(elements) == isl_bool_true;

    if (none) {
        isl_map_free(elements);
        return true;
    }
    for (int k = 2; program_statement(copies->program, label); k++)
        label = arena_printf(copies->schedule->arena, "%s_%s_%d", copies->name, suffix, k);
    *statement = add_statement(copies, label, copy_domain(copies, label, elements), fills);
    return *statement || edit_refuse(copies->schedule, copies->buffer->step->place, "cache", NULL,
                                     "where the buffer's first element is has no single expression") == STATUS_OK;
}

static isl_set *buffer_elements(const struct copies *copies)
{
    isl_set *all = NULL;

    for (int s = 0; s < copies->program->n_statement; s++) {
        const struct statement *statement = copies->program->statement[s];
        for (int k = 0; k < statement->n_access; k++) {
            isl_set *one;
            if (statement->access[k].array != copies->array)
                continue;
            one = isl_map_range(isl_map_copy(statement->access[k].map));
            all = all ? isl_set_union(all, one) : one;
        }
    }
    return poly_keep_set(copies->schedule->arena, poly_set_coalesce(all));
}

/* { [c, m] -> A[a] } with a_dim in an interval that holds what the map has there. */
static __isl_give isl_map *interval(__isl_keep isl_map *elements, int dim)
{
    const unsigned n = (unsigned)isl_map_dim(elements, isl_dim_out), at = (unsigned)dim;
    isl_map *one = isl_map_from_basic_map(isl_map_simple_hull(box_dimension(elements, dim)));

    one = isl_map_insert_dims(one, isl_dim_out, 1, n - at - 1);
    one = isl_map_insert_dims(one, isl_dim_out, 0, at);
    return isl_map_set_tuple_id(one, isl_dim_out, isl_map_get_tuple_id(elements, isl_dim_out));
}

static bool is_written(const struct program *program, const struct array *array)
{
    for (int s = 0; s < program->n_statement; s++)
        if (program->statement[s]->target->array == array)
            return true;
    return false;
}

static isl_stat add_constraints(__isl_take isl_basic_map *piece, void *user)
{
    isl_constraint_list *list = isl_basic_map_get_constraint_list(piece);

    *(int *)user += (int)isl_constraint_list_size(list);
    isl_constraint_list_free(list);
    isl_basic_map_free(piece);
    return isl_stat_ok;
}

/* How many constraints tell it, with quotients as expressions. */
static int constraints(__isl_keep isl_map *map)
{
    isl_map *explicit = isl_map_compute_divs(isl_map_copy(map));
    int n = 0;

    isl_map_foreach_basic_map(explicit, add_constraints, &n);
    isl_map_free(explicit);
    return n;
}

static bool is_written_below(const struct program *program, const struct order *order, const struct array *array)
{
    for (int s = 0; s < program->n_statement; s++)
        if (program->statement[s]->target->array == array && order_has(order, program->statement[s]))
            return true;
    return false;
}

/* Does nothing write the array in the kernel that the region is part of? */
static bool is_kernels_input(const struct copies *copies, const struct array *array)
{
    const struct schedule *schedule = copies->schedule;
    const struct order *loop = copies->region->loop;
    struct kernels kernels;

    if (!loop || !gpu_by_language(schedule->program->target.language) || array->role == ROLE_TEMP)
        return false;
    kernels = kernels_of(schedule->arena, schedule->order);
    for (int k = 0; k < kernels.n; k++)
        if (order_find(kernels.list[k], loop->info->id) && is_written_below(schedule->program, kernels.list[k], array))
            return false;
    return true;
}

/* Where nothing writes the array, a box is filled where that is simpler than the exact shape, such as a cross. */
static __isl_give isl_map *boxed(const struct copies *copies, __isl_take isl_map *elements)
{
    const struct array *array = copies->buffer->array;
    isl_map *box;

    if (!is_kernels_input(copies, array) && (array->role != ROLE_IN || is_written(copies->schedule->program, array)))
        return elements;
    box = isl_map_intersect_range(isl_map_universe(isl_map_get_space(elements)), isl_set_copy(array->elements));
    box = isl_map_intersect_domain(box, isl_map_domain(isl_map_copy(elements)));
    for (int d = 0; d < array->n_dim; d++)
        box = isl_map_intersect(box, interval(elements, d));
    box = isl_map_remove_redundancies(poly_map_coalesce(box));
    elements = isl_map_remove_redundancies(elements);
    if (constraints(box) >= constraints(elements)) {
        isl_map_free(box);
        return elements;
    }
    isl_map_free(elements);
    return box;
}

static enum status make_program(struct copies *copies)
{
    const struct program *before = copies->schedule->program;
    struct arena *arena = copies->schedule->arena;
    struct program *program = copies->program = program_copy_arrays(arena, before);
    struct statement **statement = ARENA_ARRAY(arena, program->n_statement + 2, struct statement *);
    isl_map *filled = boxed(copies, region_filled(copies->region)), *flushed = region_flushed(copies->region);
    enum status status = STATUS_OK;

    memcpy(statement, program->statement, (size_t)program->n_statement * sizeof(*statement));
    program->statement = statement;
    copies->original = &program->array[copies->buffer->array - before->array];
    add_array(copies);
    for (int k = 0; k < copies->region->list.n && status == STATUS_OK; k++)
        status = copies_redirect(copies, k);
    convert_statements(copies);
    if (status != STATUS_OK) {
        isl_map_free(filled);
        isl_map_free(flushed);
        return status;
    }
    const bool good = add_copy(copies, "fill", filled, true, &copies->fill);
    if (!add_copy(copies, "flush", flushed, false, &copies->flush) || !good)
        return STATUS_REFUSED;
    copies->array->elements = buffer_elements(copies);
    return STATUS_OK;
}

/* In the plan the order with the copies is the original one from now on. */
static enum status arrange(const struct copies *copies)
{
    const struct order *order = copies_arrange(copies, copies->schedule->order);

    return program_step_more(copies->schedule, copies->program, order, order, copies->name);
}

enum status copies_insert(struct schedule *schedule, const struct region *region, const struct buffer *buffer,
                          const char *name)
{
    struct copies copies = {.schedule = schedule, .region = region, .buffer = buffer, .name = name};
    enum status status = make_program(&copies);

    if (status == STATUS_OK && buffer->options.asynchronous && !copies.fill)
        return edit_refuse(schedule, step_place(buffer->step, "async"), "cache", NULL,
                           "nothing is filled: all elements are written before they are read");
    if (status == STATUS_OK)
        status = arrange(&copies);
    return status == STATUS_OK && (buffer->options.buffers > 1 || buffer->options.through) ? copies_ahead(&copies)
                                                                                           : status;
}

enum status copies_insert_nests(struct schedule *schedule, const struct region *region, const struct buffer *buffer,
                                const char *name)
{
    struct copies copies = {.schedule = schedule, .region = region, .buffer = buffer, .name = name, .nests = true};
    const enum status status = make_program(&copies);
    const struct order *order = schedule->order, *original = schedule->original;

    if (status != STATUS_OK)
        return status;
    copies_arrange_nests(&copies, &order, &original);
    return program_step_more(schedule, copies.program, order, original, name);
}
