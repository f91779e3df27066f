#include "plan/device/reduce/summing.h"

#include "plan/device/kernels.h"
#include "plan/device/reduce/lanes.h"
#include "plan/loop_plan.h"
#include "poly/coalesce.h"
#include "poly/graph.h"
#include "poly/keep.h"
#include "program/expr/affine.h"
#include "program/expr/index_expr.h"
#include "program/rewrite.h"
#include "sched/program_step.h"

#include <isl/constraint.h>
#include <isl/space.h>
#include <isl/union_map.h>

#include <string.h>

static __isl_give isl_union_pw_aff *position(const struct summing *summing, const struct order *loop)
{
    return time_add(time_of(loop->time, summing->statement), loop->info->plan->origin, -1);
}

static int warp_of(const struct summing *summing)
{
    return summing->schedule->program->target.warp;
}

/* Warps of the loop over thread.x, at most. */
static int64_t warps_along_x(const struct summing *summing)
{
    return (lanes_most(summing->schedule->program, summing->lanes) + warp_of(summing) - 1) / warp_of(summing);
}

static int64_t size_of(const struct order *loop)
{
    return loop->info->plan->size->integer;
}

/* { S[s] -> [c, p] }: counts of the loops around, number of the thread, in whole warps along x, divided by unit */
static __isl_give isl_map *places(const struct summing *summing, int64_t unit)
{
    isl_union_pw_aff *number = position(summing, summing->joint[0]);
    isl_map *place = poly_graph(path_iteration(&summing->path, summing->statement));
    int64_t weight = summing->lanes ? warps_along_x(summing) * warp_of(summing) / unit : size_of(summing->joint[0]);

    number = summing->lanes && unit > 1 ? time_floor_div(number, unit) : number;
    for (int k = 1; k < summing->n_joint; k++) {
        number = isl_union_pw_aff_add(number, time_scale(position(summing, summing->joint[k]), weight));
        weight *= size_of(summing->joint[k]);
    }
    return isl_map_flat_range_product(place, isl_map_from_union_map(isl_union_map_from_union_pw_aff(number)));
}

int64_t summing_warps(const struct summing *summing)
{
    int64_t all = summing->lanes ? warps_along_x(summing) : size_of(summing->joint[0]);

    for (int k = 1; k < summing->n_joint; k++)
        all *= size_of(summing->joint[k]);
    return all;
}

static void find_place(struct summing *summing, __isl_keep isl_set *domain)
{
    isl_map *place = isl_map_intersect_domain(places(summing, warp_of(summing)), isl_set_copy(domain));

    summing->place = poly_keep_map(summing->schedule->arena, poly_map_coalesce(place));
}

bool summing_is_single(const struct summing *summing, const struct order *loop)
{
    return time_is_single(loop->time, summing->statement->domain);
}

bool summing_over_threads(const struct order *loop)
{
    return loop->info->plan && axis_is_thread(loop->info->plan->axis);
}

/* Its shape is still to be found. */
static void add_array(struct summing *summing)
{
    struct arena *arena = summing->schedule->arena;
    struct array *array = summing->array = program_add_array(arena, summing->program);
    const char *name =
        arena_printf(arena, summing->lanes ? "%s_warps" : "%s_rows", summing->statement->target->array->name);

    *array = (struct array){.name = edit_name_like(summing->schedule, NULL, name),
                            .place = summing->statement->place,
                            .role = ROLE_TEMP,
                            .is_buffer = true,
                            .type = summing->statement->target->array->type,
                            .memory = MEMORY_SHARED,
                            .shape = ARENA_ARRAY(arena, summing->path.depth + 1, struct expr *)};
}

/* Another subscript: dimension k of [c, w], less what a loop over threads has in its first iteration. */
static __isl_give isl_map *with_subscript(__isl_take isl_map *element, const struct summing *summing, int k)
{
    isl_pw_aff *first;
    const struct order *loop = k < summing->path.depth ? summing->path.loop[k] : NULL;
    isl_space *space = isl_space_domain(isl_map_get_space(element));
    isl_pw_aff *own = isl_pw_aff_from_aff(
        isl_aff_var_on_domain(isl_local_space_from_space(isl_space_copy(space)), isl_dim_set, (unsigned)k));

    if (loop && summing_over_threads(loop)) {
        first = isl_pw_aff_from_aff(isl_aff_copy(loop->info->plan->origin));
        own = isl_pw_aff_sub(own, isl_pw_aff_insert_domain(first, isl_space_copy(space)));
    }
    isl_space_free(space);
    return isl_map_flat_range_product(element, isl_map_from_pw_aff(own));
}

static bool is_constant(const struct expr *size)
{
    return size->kind == EXPR_INT;
}

/* The subscript that tells the warp, or the thread. */
static __isl_give isl_map *with_number(__isl_take isl_map *element, const struct summing *summing)
{
    summing->array->shape[summing->array->n_dim++] = index_constant(summing->schedule->arena, summing->n_warp);
    return with_subscript(element, summing, summing->path.depth);
}

/* The array has an element for each warp, and before that a subscript for each loop around that has several iterations:
 * first those of loops whose iterations follow each other or belong to other blocks. Rows of threads come before what
 * tells those of a row. False: the extent of a loop over threads is not known. */
static bool find_element(struct summing *summing)
{
    struct arena *arena = summing->schedule->arena;
    isl_space *space = isl_space_range(isl_map_get_space(summing->place));
    isl_map *element = isl_map_from_domain(isl_set_universe(space));
    struct array *array = summing->array;
    bool known = true;

    for (int threads = 0; threads < 2; threads++) {
        if (threads && !summing->lanes)
            element = with_number(element, summing);
        for (int k = 0; k < summing->path.depth; k++) {
            const struct order *loop = summing->path.loop[k];
            if (summing_over_threads(loop) != (threads == 1) || summing_is_single(summing, loop))
                continue;
            known = known && (!threads || is_constant(loop->info->plan->size));
            array->n_iteration += !threads;
            array->shape[array->n_dim++] = threads ? loop->info->plan->size : index_constant(arena, 1);
            element = with_subscript(element, summing, k);
        }
    }
    if (summing->lanes)
        element = with_number(element, summing);
    element = isl_map_set_tuple_name(element, isl_dim_out, array->name);
    summing->element = poly_keep_map(arena, element);
    return known;
}

static struct expr *new_expr(const struct summing *summing, enum expr_kind kind)
{
    struct expr *expr = ARENA_NEW(summing->schedule->arena, struct expr);

    expr->kind = kind;
    expr->place = summing->statement->target->place;
    return expr;
}

/* array at map's subscripts, where domain has instances; NULL: one has no single expression */
static struct expr *element_expr(const struct summing *summing, const struct array *array, __isl_keep isl_map *map)
{
    isl_pw_multi_aff *subscripts = isl_pw_multi_aff_from_map(isl_map_copy(map));
    struct expr *expr = new_expr(summing, EXPR_ACCESS);
    bool all = subscripts != NULL;

    expr->type = array->type;
    expr->array = array;
    expr->n_arg = array->n_dim;
    expr->arg = ARENA_ARRAY(summing->schedule->arena, array->n_dim + 1, struct expr *);
    for (int k = 0; k < array->n_dim && all; k++) {
        isl_pw_aff *one = poly_pw_aff_coalesce(isl_pw_multi_aff_get_pw_aff(subscripts, k));
        one = isl_pw_aff_gist(one, isl_map_domain(isl_map_copy(map)));
        expr->arg[k] = index_expr_of(summing->schedule->arena, summing->program, one);
        all = expr->arg[k] != NULL;
    }
    isl_pw_multi_aff_free(subscripts);
    return all ? expr : NULL;
}

/* Sets the target and the accesses to it; those that follow stay. */
static void set_target(struct statement *statement, struct expr *target, isl_map *map, struct access *access)
{
    statement->target = target;
    statement->access = access;
    statement->regrouped = true;
    access[0] = (struct access){.array = target->array, .expr = target, .map = map, .write = true};
    access[1] = (struct access){.array = target->array, .expr = target, .map = map};
}

/* { [c, p] } for all positions of the loops, wherever the statement has an instance at one. */
static __isl_give isl_set *all_threads(const struct summing *summing)
{
    const unsigned depth = (unsigned)summing->path.depth;
    isl_set *set = isl_map_range(isl_map_copy(summing->place));
    const int64_t along = warps_along_x(summing) * warp_of(summing);
    isl_pw_aff *own, *size;
    isl_space *space;

    set = isl_set_add_dims(isl_set_project_out(set, isl_dim_set, depth, 1), isl_dim_set, 1);
    set = isl_set_lower_bound_si(set, isl_dim_set, depth, 0);
    space = isl_set_get_space(set);
    size = expr_pw_aff(space, summing->lanes->info->plan->size);
    own = isl_pw_aff_from_aff(isl_aff_var_on_domain(isl_local_space_from_space(space), isl_dim_set, depth));
    if (summing->n_joint > 1) {
        set = isl_set_upper_bound_si(set, isl_dim_set, depth, (int)(summing->n_warp * warp_of(summing) - 1));
        own = isl_pw_aff_mod_val(own, isl_val_int_from_si(isl_set_get_ctx(set), along));
    }
    return isl_set_intersect(set, isl_pw_aff_lt_set(own, size));
}

/* The instances there, one for each, those that the statement has among them; NULL: there are none like that. */
static __isl_give isl_set *extended(const struct summing *summing)
{
    isl_map *place = isl_map_intersect_range(places(summing, 1), all_threads(summing));
    isl_set *at = isl_map_range(isl_map_copy(place)), *all = all_threads(summing);
    bool one = isl_map_is_injective(place) == isl_bool_true && isl_set_is_subset(all, at) == isl_bool_true;

    isl_set_free(at);
    isl_set_free(all);
    all = isl_map_domain(place);
    one = one && isl_set_is_subset(summing->statement->domain, all) == isl_bool_true;
    return one ? poly_set_coalesce(all) : isl_set_free(all);
}

struct conditions {
    const struct summing *summing;
    VEC(struct expr *) list;
};

static isl_stat add_condition(__isl_take isl_constraint *constraint, void *user)
{
    struct conditions *conditions = user;
    struct arena *arena = conditions->summing->schedule->arena;
    isl_pw_aff *value = isl_pw_aff_from_aff(isl_constraint_get_aff(constraint));
    struct expr *expr = isl_constraint_is_equality(constraint) == isl_bool_false
                            ? index_expr_of(arena, conditions->summing->program, isl_pw_aff_copy(value))
                            : NULL;

    isl_pw_aff_free(value);
    isl_constraint_free(constraint);
    VEC_PUSH(arena, &conditions->list, expr);
    return expr ? isl_stat_ok : isl_stat_error;
}

/* The statement runs in all threads of the loop, and has a value where it has an instance now: so each warp has one. */
static void take_part(struct summing *summing, struct statement *warps)
{
    struct conditions conditions = {.summing = summing};
    isl_set *all = extended(summing);
    isl_set *where = isl_set_gist(isl_set_copy(summing->statement->domain), isl_set_copy(all));
    isl_basic_set_list *list = isl_set_get_basic_set_list(where);
    isl_basic_set *only = isl_basic_set_list_n_basic_set(list) == 1 ? isl_basic_set_list_get_basic_set(list, 0) : NULL;

    if (only && isl_basic_set_dim(only, isl_dim_div) == 0 &&
        isl_basic_set_foreach_constraint(only, add_condition, &conditions) == isl_stat_ok) {
        warps->domain = poly_keep_set(summing->schedule->arena, isl_set_copy(all));
        find_place(summing, warps->domain);
        warps->taking = conditions.list.at;
        warps->n_taking = conditions.list.n;
    }
    isl_basic_set_free(only);
    isl_basic_set_list_free(list);
    isl_set_free(where);
    isl_set_free(all);
}

/* Is the statement at one place of the text? At several, one would overwrite what the warp has from another. */
static bool is_in_one_piece(const struct statement *statement)
{
    isl_set *domain = poly_set_coalesce(isl_set_copy(statement->domain));
    const bool one = isl_set_n_basic_set(domain) == 1;

    isl_set_free(domain);
    return one;
}

/* Each thread sets an element of its own to its value. */
static void make_assignment(struct statement *threads)
{
    threads->op = OP_NONE;
    threads->n_access--;
    memmove(threads->access + 1, threads->access + 2, (size_t)(threads->n_access - 1) * sizeof(*threads->access));
}

/* The update of its own that each warp makes; without lanes what each thread has. */
static bool make_warps(struct summing *summing)
{
    struct arena *arena = summing->schedule->arena;
    struct statement *warps = summing->warps = summing->program->statement[summing->statement->index];
    struct access *access = ARENA_ARRAY(arena, warps->n_access, struct access);
    struct expr *target;
    isl_map *map;

    if (summing->lanes)
        take_part(summing, warps);
    if (summing->lanes ? !is_in_one_piece(warps) : isl_map_is_injective(summing->place) != isl_bool_true)
        return false;
    map = isl_map_apply_range(isl_map_copy(summing->place), isl_map_copy(summing->element));
    poly_keep_map(arena, map);
    target = element_expr(summing, summing->array, map);
    if (!target)
        return false;
    memcpy(access, warps->access, (size_t)warps->n_access * sizeof(*access));
    set_target(warps, target, map, access);
    if (!summing->lanes) {
        make_assignment(warps);
        return true;
    }
    warps->by_warp = true;
    warps->total = arena_printf(arena, "%s_warp", summing->statement->target->array->name);
    return true;
}

static struct statement *new_block(const struct summing *summing)
{
    struct arena *arena = summing->schedule->arena;
    const int depth = summing->path.depth;
    struct statement *block = ARENA_NEW(arena, struct statement);
    isl_set *domain = isl_map_range(isl_map_copy(summing->place));

    *block = *summing->statement;
    block->index = summing->program->n_statement;
    block->label = edit_new_label(summing->schedule, summing->statement, "block");
    block->divided = NULL;
    block->from = summing->statement->from ? summing->statement->from : summing->statement->label;
    block->n_loop = depth + 1;
    block->loop_name = ARENA_ARRAY(arena, depth + 1, const char *);
    for (int k = 0; k < depth; k++)
        block->loop_name[k] = summing->path.loop[k]->info->name;
    block->loop_name[depth] = summing->lanes ? "warp" : "row";
    if (summing->lanes) /* more threads are refused */
        domain = isl_set_upper_bound_si(domain, isl_dim_set, (unsigned)depth, warp_of(summing) - 1);
    domain = isl_set_set_tuple_name(poly_set_coalesce(domain), block->label);
    block->domain = poly_keep_set(arena, isl_set_detect_equalities(domain));
    return block;
}

/* map with the block's update in place of [c, w] */
static isl_map *of_block(const struct summing *summing, const struct statement *block, __isl_take isl_map *map)
{
    map = isl_map_set_tuple_id(map, isl_dim_in, isl_set_get_tuple_id(block->domain));
    return poly_keep_map(summing->schedule->arena,
                         poly_map_coalesce(isl_map_intersect_domain(map, isl_set_copy(block->domain))));
}

/* { [c, w] -> x[f] } */
static __isl_give isl_map *updated(const struct summing *summing)
{
    const unsigned depth = (unsigned)summing->path.depth;
    isl_map *map =
        isl_map_intersect_domain(places(summing, warp_of(summing)), isl_set_copy(summing->statement->domain));

    map = isl_map_apply_range(isl_map_reverse(map), isl_map_copy(summing->statement->access[0].map));
    return isl_map_add_dims(isl_map_project_out(map, isl_dim_in, depth, 1), isl_dim_in, 1);
}

/* The update by what the warps have. */
static bool make_block(struct summing *summing)
{
    struct statement *block = summing->block = new_block(summing);
    const struct access *before = &summing->statement->access[0];
    const struct array *array = &summing->program->array[before->array - summing->schedule->program->array];
    struct access *access = ARENA_ARRAY(summing->schedule->arena, 3, struct access);
    isl_map *element = of_block(summing, block, updated(summing));
    isl_map *read = of_block(summing, block, isl_map_copy(summing->element));
    struct expr *target;

    target = isl_map_is_single_valued(element) == isl_bool_true ? element_expr(summing, array, element) : NULL;
    block->value = element_expr(summing, summing->array, read);
    if (!target || !block->value)
        return false;
    set_target(block, target, element, access);
    access[2] = (struct access){.array = summing->array, .expr = block->value, .map = read};
    block->n_access = 3;
    block->total = arena_printf(summing->schedule->arena, "%s_block", array->name);
    return true;
}

static void add_block(struct summing *summing)
{
    struct program *program = summing->program;
    struct statement **list = ARENA_ARRAY(summing->schedule->arena, program->n_statement + 1, struct statement *);

    memcpy(list, program->statement, (size_t)program->n_statement * sizeof(*list));
    list[program->n_statement++] = summing->block;
    program->statement = list;
}

/* (N + 31) / 32 */
static struct expr *warps_there(const struct summing *summing)
{
    const struct program *program = summing->schedule->program;
    isl_space *space = isl_space_set_from_params(program_params_space(program));
    isl_pw_aff *number = expr_pw_aff(space, summing->lanes->info->plan->size);
    isl_ctx *ctx = isl_space_get_ctx(space);

    number = isl_pw_aff_add_constant_val(number, isl_val_int_from_si(ctx, warp_of(summing) - 1));
    number = isl_pw_aff_floor(isl_pw_aff_scale_down_val(number, isl_val_int_from_si(ctx, warp_of(summing))));
    isl_space_free(space);
    return index_expr_of(summing->schedule->arena, program, number);
}

bool summing_divide(struct summing *summing)
{
    struct arena *arena = summing->schedule->arena;

    summing->n_warp = summing_warps(summing);
    summing->warps_there = is_constant(summing->joint[0]->info->plan->size) ? index_constant(arena, summing->n_warp)
                                                                            : warps_there(summing);
    if (!summing->warps_there)
        return false;
    find_place(summing, summing->statement->domain);
    summing->program = program_copy_arrays(arena, summing->schedule->program);
    add_array(summing);
    if (!find_element(summing) || !make_warps(summing) || !make_block(summing))
        return false;
    summing->array->elements =
        poly_keep_set(arena, poly_set_coalesce(isl_map_range(isl_map_copy(summing->block->access[2].map))));
    add_block(summing);
    return true;
}
