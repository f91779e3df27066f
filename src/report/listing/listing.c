#include "report/listing/listing.h"

#include "lower/facts/bound.h"
#include "lower/pipeline.h"
#include "plan/loop_plan.h"
#include "report/listing/loop_marks.h"
#include "report/listing/needless.h"
#include "report/listing/outline.h"
#include "report/listing/wording.h"
#include "tree/visit.h"

#include <inttypes.h>

struct listing {
    struct around around;
    const struct program *program;
    const struct order *order; /* whose loops have the plan's marks */
    struct scope scope;
    struct vars *vars;
    VEC(const struct array *) told; /* buffers whose extents stand in a line above */
    struct text *out;
};

/* A loop in one piece: what its tail and the plan make of it are marks. */
static const struct order *in_one_piece(void *data, const struct order *order)
{
    const struct schedule *schedule = data;
    struct loop_info *info;

    if (order->kind != ORDER_LOOP)
        return order;
    info = ARENA_NEW(schedule->arena, struct loop_info);
    *info = *order->info;
    info->tail = info->rest = TAIL_AUTO;
    info->pieces = info->skewed = false;
    info->unroll_below = 0;
    if (info->plan) {
        struct loop_plan *plan = ARENA_NEW(schedule->arena, struct loop_plan);
        *plan = *info->plan;
        plan->unroll = UNROLL_NONE;
        plan->vector = plan->literal = false;
        info->plan = plan;
    }
    return order_loop(schedule->arena, info, isl_union_pw_aff_copy(order->time), order->child[0]);
}

static void begin_line(const struct listing *listing, int depth)
{
    text_addf(listing->out, "%*s", 2 * depth, "");
}

/* The loop through the tiles of this one; NULL: it has none. */
static const struct node *tile_of(const struct node *node, const struct loop_info *info)
{
    const struct node *found = node->kind == NODE_LOOP && node->info && node->info->outer == info->id ? node : NULL;

    for (int k = 0; k < node->n_child && !found; k++)
        found = tile_of(node->child[k], info);
    return found;
}

/* What the last tile of a loop with the constant end `last` goes to; last where that is not seen. */
static const struct affine *end_of_tiles(struct arena *arena, const struct node *loop, const struct affine *last)
{
    const struct node *tile = loop->info ? tile_of(loop->child[0], loop->info) : NULL;
    const struct affine *end = tile ? affine_substitute(arena, tile->upper, loop->var, last) : NULL;

    if (!end || !affine_is_constant(end, NULL) || end->constant < 0 || end->constant >= loop->step)
        return last;
    return affine_add_constant(arena, last, end->constant);
}

/* The most that the loop may end with instead of `last`, one of its ends, for the same iterations: steps of four from 0
 * on go to N - 1 instead of N - 4 where N is a multiple of four, and tiles to their last value. */
static const struct affine *far_end(const struct listing *listing, const struct node *loop, const struct affine *last)
{
    struct arena *arena = listing->around.arena;
    const struct affine *way = affine_sub(arena, last, loop->lower);
    const struct span span = way ? span_of(arena, listing->around.facts->bound, way) : span_any();
    const int64_t grid = common_divisor(common_divisor(span.modulus, span.residue), loop->step);
    const bool is_tile = loop->info && loop->info->tile > 0;

    if (affine_is_constant(last, NULL) && !is_tile)
        return end_of_tiles(arena, loop, last);
    return affine_add_constant(arena, last, grid - 1);
}

/* "N - 1", "min(64, N - j) - 1" */
static void add_end(const struct listing *listing, const struct node *loop)
{
    struct arena *arena = listing->around.arena;
    const struct affine *const *arg, *end;
    const struct affine **far;
    enum atom_kind kind;
    const int n = bound_args(arena, loop->upper, &arg, &kind);

    if (loop->step < 0 || (n > 1 && kind != ATOM_MIN)) {
        terms_print(&listing->around, loop->upper, listing->out);
        return;
    }
    far = ARENA_ARRAY(arena, n, const struct affine *);
    for (int k = 0; k < n; k++)
        far[k] = affine_add_constant(arena, far_end(listing, loop, arg[k]), n > 1);
    end = n > 1 ? affine_extreme(arena, ATOM_MIN, far, n) : far[0];
    terms_print(&listing->around, end ? end : loop->upper, listing->out);
    text_add(listing->out, end && n > 1 ? " - 1" : "");
}

/* The loop that a node of the tree comes from, with the plan's marks; NULL: there is none. */
static const struct order *order_of(const struct listing *listing, const struct node *node)
{
    return node->kind == NODE_LOOP && node->info ? order_find(listing->order, node->info->id) : NULL;
}

static void add_loop_line(const struct listing *listing, const struct node *loop)
{
    const struct order *marked = order_of(listing, loop);
    struct text marks = {0};

    text_addf(listing->out, "for %s = ", loop->var->name);
    terms_print(&listing->around, loop->lower, listing->out);
    text_add(listing->out, loop->step < 0 ? " down to " : " to ");
    add_end(listing, loop);
    if (loop->step != 1 && loop->step != -1)
        text_addf(listing->out, " step %" PRId64, loop->step);
    if (marked && loop_marks(marked->info, &marks))
        text_addf(listing->out, "  [%s]", text_str(&marks));
    text_char(listing->out, '\n');
    text_free(&marks);
}

static void add_node(struct listing *listing, const struct node *node, int depth);

/* The body of a node, where holds what the node says of it. */
static void add_inside(struct listing *listing, const struct node *node, int depth)
{
    const struct facts *outside = listing->around.facts;
    struct facts inside = *outside;

    facts_enter(&inside, node, 0);
    listing->around.facts = &inside;
    add_node(listing, node->child[0], depth);
    listing->around.facts = outside;
}

/* The first of collapsed loops has their name from the step on; here it is the loop that it was. */
static const struct node *by_own_name(const struct listing *listing, const struct node *loop)
{
    struct arena *arena = listing->around.arena;
    const struct loop_info *part = loop->info && loop->info->tuple > 1 ? loop->info->part : NULL;
    struct var *var;

    if (!part)
        return loop;
    var = var_new(listing->vars, VAR_LOOP, lower_printed_name(part));
    return node_loop(arena, var, loop->lower, loop->upper, loop->step, loop->info,
                     node_substitute(arena, loop->child[0], loop->var, affine_var(arena, var)));
}

/* loop with its last value as the constant of its end: 16 for 23 in steps of eight from 0 on. */
static const struct node *on_grid(const struct listing *listing, const struct node *loop)
{
    struct arena *arena = listing->around.arena;
    const struct affine *last = bound_constant(arena, loop->upper, ATOM_MIN);
    const struct affine *both[2] = {loop->upper, last};
    int64_t first;

    if (loop->step < 0 || !last || !affine_is_constant(loop->lower, &first) || last->constant < first)
        return loop;
    both[1] = affine_constant(arena, last->constant - (last->constant - first) % loop->step);
    return node_with_bounds(arena, loop, loop->lower, affine_extreme(arena, ATOM_MIN, both, 2));
}

static void add_loop(struct listing *listing, const struct node *loop, int depth)
{
    loop = by_own_name(listing, loop);
    begin_line(listing, depth);
    add_loop_line(listing, loop);
    add_inside(listing, on_grid(listing, loop), depth + 1);
}

static void add_value(struct listing *listing, const struct node *value, int depth)
{
    begin_line(listing, depth);
    text_addf(listing->out, "let %s = ", value->var->name);
    terms_print(&listing->around, value->lower, listing->out);
    text_char(listing->out, '\n');
    add_inside(listing, value, depth);
}

/* An alternative without what is needless. */
static struct guard needed(const struct around *around, const struct guard *guard, const struct node *body)
{
    struct condition *kept = ARENA_ARRAY(around->arena, guard->n, struct condition);
    int n = 0;

    for (int c = 0; c < guard->n; c++)
        if (!needless_condition(around, body, &guard->condition[c]))
            kept[n++] = guard->condition[c];
    return (struct guard){kept, n};
}

static void add_if(struct listing *listing, const struct node *node, int depth)
{
    const bool alone = node->n_alternative == 1;
    struct guard only = {NULL, 0};

    if (alone)
        only = needed(&listing->around, node->alternative, node->child[0]);
    if (alone && only.n == 0) {
        add_inside(listing, node, depth);
        return;
    }
    begin_line(listing, depth);
    text_add(listing->out, "if ");
    for (int k = 0; k < node->n_alternative; k++) {
        const struct guard *guard = alone ? &only : &node->alternative[k];

        for (int c = 0; c < guard->n; c++) {
            text_add(listing->out, c ? " and " : k ? " or " : "");
            terms_print_condition(&listing->around, &guard->condition[c], listing->out);
        }
    }
    text_char(listing->out, '\n');
    add_inside(listing, node, depth + 1);
}

static void add_statement(struct listing *listing, const struct node *node, int depth)
{
    const struct statement *statement = node->statement;

    begin_line(listing, depth);
    if (statement->barrier) {
        text_add(listing->out, "barrier\n");
        return;
    }
    listing->scope.loop = node->argument;
    if (!statement->is_copy)
        text_addf(listing->out, "%s: ", statement->label);
    wording_print(&listing->around, &listing->scope, statement, listing->out);
    text_add(listing->out, statement->atomic ? "  [atomic]\n" : "\n");
}

/* The buffer's copy of which there is nothing else in node; NULL: there is no such one. */
static const struct statement *only_copy(const struct node *node)
{
    const struct statement *copy = NULL;

    if (node->kind == NODE_STATEMENT)
        return node->statement->is_copy ? node->statement : NULL;
    for (int k = 0; k < node->n_child; k++) {
        const struct statement *one = only_copy(node->child[k]);

        if (!one || (copy && copy != one))
            return NULL;
        copy = one;
    }
    return copy;
}

/* "  (64 x 16)": once for each buffer. */
static void add_extents(struct listing *listing, const char *name)
{
    const struct array *buffer = name ? program_array(listing->program, name) : NULL;

    for (int k = 0; buffer && k < listing->told.n; k++)
        if (listing->told.at[k] == buffer)
            return;
    if (!buffer || buffer->n_iteration == buffer->n_dim)
        return;
    VEC_PUSH(listing->around.arena, &listing->told, buffer);
    for (int k = buffer->n_iteration; k < buffer->n_dim; k++) {
        text_add(listing->out, k > buffer->n_iteration ? " x " : "  (");
        expr_print(listing->out, buffer->shape[k], NULL);
    }
    text_char(listing->out, ')');
}

/* Adds "jj parallel, u v unrolled": the loops of a copy, by what the plan makes of them. last: of the loop around. */
static void add_copy_marks(const struct listing *listing, const struct node *node, const struct text *last,
                           struct text *out)
{
    const struct order *marked = order_of(listing, node);
    struct text marks = {0};

    if (marked && loop_marks(marked->info, &marks)) {
        const bool same = strcmp(text_str(last), text_str(&marks)) == 0;

        if (same)
            text_truncate(out, out->size - last->size - 1);
        text_addf(out, "%s%s %s", same ? " " : out->size ? ", " : "", node->var->name, text_str(&marks));
    }
    if (node->n_child > 0)
        add_copy_marks(listing, node->child[0], &marks, out);
    text_free(&marks);
}

static void add_copy(struct listing *listing, const struct node *node, const struct statement *copy, int depth)
{
    struct text marks = {0};

    begin_line(listing, depth);
    text_add(listing->out, node->comment);
    add_extents(listing, copy->copies);
    add_copy_marks(listing, node, &(struct text){0}, &marks);
    if (marks.size)
        text_addf(listing->out, "  [%s]", text_str(&marks));
    text_char(listing->out, '\n');
    text_free(&marks);
}

/* Is all of it in the line that its call has? */
static bool is_told(const struct node *node)
{
    if (node->kind == NODE_STATEMENT)
        return node->statement->part > 0;
    for (int k = 0; k < node->n_child; k++)
        if (!is_told(node->child[k]))
            return false;
    return node->n_child > 0;
}

static void add_node(struct listing *listing, const struct node *node, int depth)
{
    const struct statement *copy = node->comment ? only_copy(node) : NULL;

    if (is_told(node))
        return;
    if (copy) {
        add_copy(listing, node, copy, depth);
        return;
    }
    switch (node->kind) {
    case NODE_LOOP:
        add_loop(listing, node, depth);
        return;
    case NODE_VALUE:
        add_value(listing, node, depth);
        return;
    case NODE_IF:
        add_if(listing, node, depth);
        return;
    case NODE_STATEMENT:
        add_statement(listing, node, depth);
        return;
    default:
        for (int k = 0; k < node->n_child; k++)
            add_node(listing, node->child[k], depth);
    }
}

/* The parameters, with what they are multiples of, which facts have in sets only. */
static const struct bound_var *with_congruences(const struct lowering *lowering, const struct bound_var *bound)
{
    const struct congruence *congruence = bound ? &lowering->vars->congruence[bound->var->id] : NULL;
    struct bound_var *copy;

    if (!bound)
        return NULL;
    copy = ARENA_NEW(lowering->arena, struct bound_var);
    *copy = *bound;
    copy->span.modulus = congruence->modulus;
    copy->span.residue = congruence->residue;
    copy->outer = with_congruences(lowering, bound->outer);
    return copy;
}

static struct facts facts_of_params(struct lowering *lowering)
{
    struct facts facts = facts_of_program(lowering);

    facts.bound = with_congruences(lowering, facts.bound);
    return facts;
}

void report_listing(const struct schedule *schedule, const struct order *order, struct text *out)
{
    struct arena *arena = schedule->arena;
    const struct program *program = schedule->program;
    struct vars *vars = vars_of_program(arena, program);
    struct diags *diags = diags_new(arena);
    struct pipeline pipeline = {.arena = arena,
                                .stored = program,
                                .order = order_rewrite(arena, order, in_one_piece, (void *)(uintptr_t)schedule),
                                .vars = vars,
                                .diags = diags,
                                .last = "whole"};
    struct lowering lowering = lower_again(arena, program, vars, NULL);
    const struct facts facts = facts_of_params(&lowering);
    struct listing listing = {.around = {arena, &facts},
                              .program = program,
                              .order = order,
                              .scope = {program, vars->param, NULL},
                              .vars = vars,
                              .out = out};

    if (pipeline_run(&pipeline, SECTION_LOOPS) == STATUS_OK && pipeline.tree) {
        add_node(&listing, pipeline.tree, 0);
        return;
    }
    text_addf(out, "(no loops: %s)\n", diags->list.n ? diags->list.at[0]->message : "isl made none");
    report_outline(program, order, out);
}
