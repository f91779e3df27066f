#include "plan/copies.h"

#include "dep/dependence.h"
#include "poly/keep.h"
#include "program/index_expr.h"
#include "program/rewrite.h"
#include "sched/program_step.h"

#include <isl/constraint.h>
#include <isl/id.h>
#include <isl/space.h>
#include <isl/val.h>

#include <string.h>

struct copies {
    struct schedule *schedule;
    const struct region *region;
    const struct buffer *buffer;
    const char *name;
    struct program *program;
    struct array *array;           /* the buffer in it */
    const struct array *original;  /* the cached array in it */
    struct statement *fill, *flush; /* NULL: nothing to copy */
};

static int depth(const struct copies *copies)
{
    return copies->buffer->n_outside;
}

static int rank(const struct copies *copies)
{
    return copies->buffer->n_outside + copies->buffer->n_digit;
}

static struct expr *new_expr(const struct copies *copies, enum expr_kind kind)
{
    struct expr *expr = ARENA_NEW(copies->schedule->arena, struct expr);

    expr->kind = kind;
    expr->place = copies->buffer->step->place;
    return expr;
}

static struct expr *access_expr(const struct copies *copies, const struct array *array, struct expr **arg, int n)
{
    struct expr *expr = new_expr(copies, EXPR_ACCESS);

    expr->type = array->type;
    expr->array = array;
    expr->arg = arg;
    expr->n_arg = n;
    return expr;
}

static struct expr *loop_expr(const struct copies *copies, int loop)
{
    struct expr *expr = new_expr(copies, EXPR_LOOP);

    expr->loop = loop;
    return expr;
}

/* The buffer; extents of the iterations in front are never printed, contraction takes them away. */
static void add_array(struct copies *copies)
{
    const struct buffer *buffer = copies->buffer;
    struct program *program = copies->program;
    struct arena *arena = copies->schedule->arena;
    struct array *array = copies->array = &program->array[program->n_array++];
    bool *unused = ARENA_ARRAY(arena, program->n_array, bool);

    *array = (struct array){.name = copies->name, .place = buffer->step->place, .role = ROLE_TEMP,
                            .type = buffer->array->type, .n_dim = rank(copies), .n_iteration = depth(copies),
                            .is_buffer = true, .in_registers = buffer->in_registers, .align = step_int(buffer->step, "align", 0),
                            .pad = step_int(buffer->step, "pad", 0),
                            .memory = buffer->is_shared ? MEMORY_SHARED : MEMORY_AUTO};
    array->shape = ARENA_ARRAY(arena, array->n_dim + 1, struct expr *);
    for (int k = 0; k < array->n_dim; k++) {
        const struct digit *digit = k < depth(copies) ? NULL : &buffer->digit[k - depth(copies)];
        array->shape[k] = !digit               ? index_constant(arena, 1)
                          : digit->extent      ? digit->extent
                                               : index_constant(arena, digit->size);
    }
    if (program->unused)
        memcpy(unused, program->unused, (size_t)(program->n_array - 1) * sizeof(bool));
    program->unused = unused;
}

/* { S[..] -> AA[c, y] }; NULL (an isl error) or not total when the geometry is wrong. */
static __isl_give isl_map *redirected_map(const struct copies *copies, const struct statement *statement,
                                          __isl_keep isl_map *access)
{
    isl_map *map = isl_map_from_multi_pw_aff(region_iteration(copies->region, statement));

    map = isl_map_intersect_domain(map, isl_set_copy(statement->domain));
    map = isl_map_flat_range_product(map, isl_map_reset_tuple_id(isl_map_copy(access), isl_dim_out));
    map = isl_map_apply_range(map, isl_map_reverse(isl_map_copy(copies->buffer->place)));
    map = isl_map_set_tuple_name(map, isl_dim_out, copies->name);
    return poly_keep_map(copies->schedule->arena, isl_map_coalesce(map));
}

/* { S[..] -> [c] } or, for `between` too, { S[..] -> [c, m] } */
static __isl_give isl_multi_pw_aff *iteration(const struct copies *copies, const struct statement *statement,
                                              bool between)
{
    const struct path path = {copies->buffer->path.loop,
                              between ? copies->buffer->path.depth : copies->buffer->n_outside};

    return path_iteration(&path, statement);
}

/* How far an instance is from the first element of its box in one axis, counted in elements of the box. */
static __isl_give isl_pw_aff *in_box(const struct copies *copies, const struct statement *statement,
                                     __isl_keep isl_map *access, int axis)
{
    const struct buffer *buffer = copies->buffer;
    const struct box *box = axis < 0 ? &buffer->between[-1 - axis] : &buffer->box[axis];
    isl_multi_pw_aff *around = iteration(copies, statement, axis >= 0);
    isl_pw_aff *first = isl_pw_aff_from_aff(isl_aff_copy(box->offset)), *own;

    if (axis < 0) {
        isl_multi_pw_aff *all = iteration(copies, statement, true);
        own = isl_multi_pw_aff_get_pw_aff(all, buffer->n_outside - 1 - axis);
        isl_multi_pw_aff_free(all);
    } else {
        isl_pw_multi_aff *subscripts = isl_pw_multi_aff_from_map(isl_map_copy(access));
        own = isl_pw_multi_aff_get_pw_aff(subscripts, axis);
        isl_pw_multi_aff_free(subscripts);
    }
    own = isl_pw_aff_sub(own, isl_pw_aff_pullback_multi_pw_aff(first, around));
    own = isl_pw_aff_scale_down_val(own, isl_val_int_from_si(isl_pw_aff_get_ctx(own), box->stride));
    return isl_pw_aff_gist(isl_pw_aff_coalesce(own), isl_set_copy(statement->domain));
}

/* floor(index / unit) */
static __isl_give isl_pw_aff *quotient(__isl_keep isl_pw_aff *index, int64_t unit)
{
    isl_val *val = isl_val_int_from_si(isl_pw_aff_get_ctx(index), unit);

    return isl_pw_aff_floor(isl_pw_aff_scale_down_val(isl_pw_aff_copy(index), val));
}

/* The unit of the next coarser digit of the same axis; 0: this is the coarsest. */
static int64_t coarser_unit(const struct buffer *buffer, const struct digit *digit)
{
    int64_t unit = 0;

    for (int k = 0; k < buffer->n_digit; k++) {
        const struct digit *other = &buffer->digit[k];
        if (other->axis == digit->axis && other->unit > digit->unit && (unit == 0 || other->unit < unit))
            unit = other->unit;
    }
    return unit;
}

static struct expr *digit_expr(const struct copies *copies, const struct statement *statement,
                               __isl_keep isl_map *access, const struct digit *digit)
{
    isl_pw_aff *index = in_box(copies, statement, access, digit->axis);
    isl_pw_aff *value = quotient(index, digit->unit);
    const int64_t coarser = coarser_unit(copies->buffer, digit);

    if (coarser) {
        isl_val *ratio = isl_val_int_from_si(isl_pw_aff_get_ctx(index), coarser / digit->unit);
        value = isl_pw_aff_sub(value, isl_pw_aff_scale_val(quotient(index, coarser), ratio));
    }
    isl_pw_aff_free(index);
    value = isl_pw_aff_gist(isl_pw_aff_coalesce(value), isl_set_copy(statement->domain));
    return index_expr_of(copies->schedule->arena, copies->program, value);
}

static struct expr *iteration_expr(const struct copies *copies, const struct statement *statement, int k)
{
    isl_multi_pw_aff *around = iteration(copies, statement, false);
    isl_pw_aff *count = isl_pw_aff_gist(isl_multi_pw_aff_get_pw_aff(around, k), isl_set_copy(statement->domain));

    isl_multi_pw_aff_free(around);
    return index_expr_of(copies->schedule->arena, copies->program, isl_pw_aff_coalesce(count));
}

/* The access expression in place: its array and subscripts become the buffer's. */
static enum status redirect_expr(const struct copies *copies, const struct statement *statement, struct expr *expr,
                                 __isl_keep isl_map *access)
{
    struct expr **arg = ARENA_ARRAY(copies->schedule->arena, rank(copies) + 1, struct expr *);
    bool all = true;

    for (int k = 0; k < rank(copies); k++) {
        arg[k] = k < depth(copies)
                     ? iteration_expr(copies, statement, k)
                     : digit_expr(copies, statement, access, &copies->buffer->digit[k - depth(copies)]);
        all = all && arg[k];
    }
    if (!all)
        return edit_refuse(copies->schedule, copies->buffer->step->place, "cache", NULL,
                           "the place of its element in the buffer has no single expression for %s",
                           statement->label);
    *expr = *access_expr(copies, copies->array, arg, rank(copies));
    return STATUS_OK;
}

/* A map that does not place each element once would be wrong code; isl's quota may also be the reason. */
static enum status check_map(const struct copies *copies, const struct statement *statement, __isl_keep isl_map *map)
{
    isl_set *placed = isl_map_domain(isl_map_copy(map));
    const bool good = isl_set_is_subset(statement->domain, placed) == isl_bool_true &&
                      isl_map_is_single_valued(map) == isl_bool_true;

    isl_set_free(placed);
    if (good)
        return STATUS_OK;
    if (isl_ctx_last_error(copies->program->ctx) == isl_error_none)
        diag_error(copies->schedule->diags, "internal", copies->buffer->step->place,
                   "internal error: the buffer has no place for some element that %s uses", statement->label);
    return STATUS_ENVIRONMENT;
}

static enum status redirect(struct copies *copies, int k)
{
    const struct region_access *at = &copies->region->list.at[k];
    const struct region_access *before = k > 0 ? &copies->region->list.at[k - 1] : NULL;
    struct statement *statement = copies->program->statement[at->statement];
    struct access *access = &statement->access[at->access];
    const bool done = before && before->statement == at->statement &&
                      statement->access[before->access].expr == access->expr;
    enum status status = STATUS_OK;

    if (!done)
        status = redirect_expr(copies, statement, (struct expr *)(uintptr_t)access->expr, access->map);
    access->map = redirected_map(copies, statement, access->map);
    if (status == STATUS_OK)
        status = check_map(copies, statement, access->map);
    access->array = copies->array;
    return status;
}

static const char **copy_names(const struct copies *copies)
{
    const char **name = ARENA_ARRAY(copies->schedule->arena, rank(copies) + 1, const char *);

    for (int k = 0; k < rank(copies); k++)
        name[k] = k < depth(copies) ? copies->buffer->path.loop[k]->info->name
                                    : copies->buffer->digit[k - depth(copies)].name;
    return name;
}

/* { label[c, y] } where place puts the elements of { [c, m] -> A[a] } */
static isl_set *copy_domain(const struct copies *copies, const char *label, __isl_take isl_map *elements)
{
    isl_set *set = isl_set_flatten(isl_map_wrap(isl_map_reset_tuple_id(elements, isl_dim_out)));

    set = isl_set_apply(set, isl_map_reverse(isl_map_copy(copies->buffer->place)));
    set = isl_set_set_tuple_name(isl_set_coalesce(set), label);
    return poly_keep_set(copies->schedule->arena, set);
}

static struct expr *buffer_expr(const struct copies *copies)
{
    struct expr **arg = ARENA_ARRAY(copies->schedule->arena, rank(copies) + 1, struct expr *);

    for (int k = 0; k < rank(copies); k++)
        arg[k] = loop_expr(copies, k);
    return access_expr(copies, copies->array, arg, rank(copies));
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
    return access_expr(copies, copies->original, arg, n);
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
    *statement = (struct statement){
        .index = program->n_statement, .label = label, .place = copies->buffer->step->place,
        .nest = program->statement[copies->region->list.at[0].statement]->nest, .loop_name = copy_names(copies),
        .n_loop = rank(copies), .target = fills ? in_buffer : in_array, .op = OP_NONE,
        .value = fills ? in_array : in_buffer, .domain = domain, .access = access, .n_access = 2, .is_copy = true};
    access[fills ? 0 : 1] = (struct access){.array = copies->array, .expr = in_buffer,
                                            .map = buffer_map(copies, domain), .write = fills};
    access[fills ? 1 : 0] = (struct access){.array = copies->original, .expr = in_array,
                                            .map = array_map(copies, domain), .write = !fills};
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
    return *statement ||
           edit_refuse(copies->schedule, copies->buffer->step->place, "cache", NULL,
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
    return poly_keep_set(copies->schedule->arena, isl_set_coalesce(all));
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

static int constraints(__isl_keep isl_map *map)
{
    int n = 0;

    isl_map_foreach_basic_map(map, add_constraints, &n);
    return n;
}

/* Of an array that nothing writes, a box is filled where that is simpler than the exact shape, such as a cross. */
static __isl_give isl_map *boxed(const struct copies *copies, __isl_take isl_map *elements)
{
    const struct array *array = copies->buffer->array;
    isl_map *box;

    if (array->role != ROLE_IN || is_written(copies->schedule->program, array))
        return elements;
    box = isl_map_intersect_range(isl_map_universe(isl_map_get_space(elements)), isl_set_copy(array->elements));
    box = isl_map_intersect_domain(box, isl_map_domain(isl_map_copy(elements)));
    for (int d = 0; d < array->n_dim; d++)
        box = isl_map_intersect(box, interval(elements, d));
    box = isl_map_remove_redundancies(isl_map_coalesce(box));
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
        status = redirect(copies, k);
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

/* The coarser part of the same axis, if there is one; infos[k] belongs to digit k. */
static int coarser_id(const struct buffer *buffer, struct loop_info *const *info, const struct digit *digit)
{
    const int64_t unit = coarser_unit(buffer, digit);

    for (int k = 0; k < buffer->n_digit; k++)
        if (unit && buffer->digit[k].axis == digit->axis && buffer->digit[k].unit == unit)
            return info[k]->id;
    return 0;
}

/* The first count of a loop between, when the digit's loop can show the values that the loop has; 0 elsewhere. */
static bool shows_values(const struct buffer *buffer, const struct digit *digit, int64_t *first)
{
    *first = 0;
    return digit->axis < 0 && aff_constant(buffer->between[-1 - digit->axis].offset, first);
}

static struct loop_info digit_info(const struct buffer *buffer, const struct digit *digit)
{
    struct loop_info info = {.stride = digit->unit, .unit = 1, .pieces = digit->unit > 1, .is_copy = true};
    int64_t first;

    if (buffer->in_registers && digit->driver) {
        info.follows = digit->driver->id;
        info.plan = digit->driver->plan;
    }
    if (shows_values(buffer, digit, &first)) {
        const struct loop_info *like = buffer->path.loop[buffer->n_outside - 1 - digit->axis]->info;
        info.stride = like->stride;
        info.offset = like->offset;
        info.pieces = like->pieces;
    }
    return info;
}

static __isl_give isl_union_pw_aff *digit_time(const struct copies *copies, const struct statement *statement, int k)
{
    int64_t first;

    shows_values(copies->buffer, &copies->buffer->digit[k], &first);
    return time_add_constant(path_dimension(statement->domain, depth(copies) + k), first);
}

/* One copy for an iteration of the loops outside: a loop for each dimension of the buffer. */
static const struct order *copy_loops(const struct copies *copies, const struct statement *statement)
{
    const struct buffer *buffer = copies->buffer;
    const struct order *order = order_leaf(copies->schedule->arena, statement, isl_set_copy(statement->domain));
    struct loop_info *info[BUFFER_MAX_DIGIT];

    for (int k = 0; k < buffer->n_digit; k++) {
        const struct loop_info like = digit_info(buffer, &buffer->digit[k]);
        info[k] = edit_new_info(copies->schedule, &like, buffer->digit[k].name, buffer->step);
    }
    for (int k = buffer->n_digit - 1; k >= 0; k--) {
        info[k]->outer = coarser_id(buffer, info, &buffer->digit[k]);
        order = order_loop(copies->schedule->arena, info[k], digit_time(copies, statement, k), order);
    }
    return order;
}

static const struct order *around(const struct copies *copies, const struct order *order)
{
    const struct order *part[3];
    int n = 0;

    if (copies->fill)
        part[n++] = copy_loops(copies, copies->fill);
    part[n++] = order;
    if (copies->flush)
        part[n++] = copy_loops(copies, copies->flush);
    return order_sequence(copies->schedule->arena, part, n);
}

static __isl_give isl_union_pw_aff *with_copies(const struct copies *copies, const struct order *loop, int k)
{
    const struct statement *const copy[] = {copies->fill, copies->flush};
    isl_union_pw_aff *time = isl_union_pw_aff_copy(loop->time);

    for (int s = 0; s < 2; s++)
        if (copy[s])
            time = isl_union_pw_aff_union_add(time, path_dimension(copy[s]->domain, k));
    return time;
}

/* The loop before which copies run. */
static const struct order *place_of(const struct copies *copies)
{
    const struct region *region = copies->region;

    return region->trigger ? region->trigger : region->loop;
}

/* order, from loop k of those outside down, with the copies around the region. */
static const struct order *insert(const struct copies *copies, const struct order *order, int k)
{
    struct arena *arena = copies->schedule->arena;
    const struct order **child;
    const struct order *body;

    if (order == place_of(copies))
        return around(copies, order);
    if (order->kind == ORDER_LEAF)
        return order;
    if (order->kind == ORDER_SEQUENCE) {
        child = ARENA_ARRAY(arena, order->n_child, const struct order *);
        for (int c = 0; c < order->n_child; c++)
            child[c] = insert(copies, order->child[c], k);
        return order_sequence(arena, child, order->n_child);
    }
    if (k == depth(copies) || order != copies->buffer->path.loop[k])
        return order;
    body = insert(copies, order->child[0], k + 1);
    return order_loop(arena, order->info, with_copies(copies, order, k), body);
}

enum status copies_insert(struct schedule *schedule, const struct region *region, const struct buffer *buffer,
                          const char *name)
{
    struct copies copies = {.schedule = schedule, .region = region, .buffer = buffer, .name = name};
    const enum status status = make_program(&copies);

    if (status != STATUS_OK)
        return status;
    return program_step_more(schedule, copies.program, insert(&copies, schedule->order, 0), name);
}
