/* decompose_init: what initialises a reduction gets a loop of its own, before everything else (TVM's
 * decompose_reduction).
 *
 *     i: { Z: r[i] = 0;  j: S: r[i] += A[i, j] }     becomes     i: { Z };  i: { j: S }
 *
 * Z is the one statement that S's first update of an element takes the value from: { Z[z] -> S[s] }.
 */
#include "dep/initialise.h"
#include "sched/edit.h"

struct decomposition {
    struct schedule *schedule;
    const struct step *step;
    const struct statement *update, *init;
    int id; /* of the loop */
};

static enum status refuse(const struct decomposition *decomposition, const char *key, const char *text)
{
    return edit_refuse(decomposition->schedule, step_place(decomposition->step, key), "decompose_init", NULL, "%s %s",
                       decomposition->update->label, text);
}

static enum status find_update(struct decomposition *decomposition)
{
    struct schedule *schedule = decomposition->schedule;
    const char *label = step_string(decomposition->step, "decompose_init", "");
    enum expr_op op;

    decomposition->update = program_statement(schedule->program, label);
    if (!decomposition->update)
        return edit_no_statement(schedule, step_place(decomposition->step, "decompose_init"), label);
    if (!statement_is_update(decomposition->update, &op))
        return refuse(decomposition, "decompose_init", "is not a reduction: it has the form x = e, not x op= e");
    return STATUS_OK;
}

static bool gives_value(__isl_keep isl_union_map *flow, const struct statement *from, const struct statement *to)
{
    isl_union_map *pairs =
        isl_union_map_intersect_domain(isl_union_map_copy(flow), isl_union_set_from_set(isl_set_copy(from->domain)));
    bool any;

    pairs = isl_union_map_intersect_range(pairs, isl_union_set_from_set(isl_set_copy(to->domain)));
    any = isl_union_map_is_empty(pairs) == isl_bool_false;
    isl_union_map_free(pairs);
    return any;
}

/* The statements other than updates that S takes values from; the last one, and their number. */
static int find_inits(struct decomposition *decomposition)
{
    const struct program *program = decomposition->schedule->program;
    const struct array *array = decomposition->update->target->array;
    isl_union_map *flow = dependences_value_flow(schedule_dependences(decomposition->schedule), array);
    enum expr_op op;
    int n = 0;

    for (int s = 0; s < program->n_statement; s++) {
        const struct statement *statement = program->statement[s];
        if (statement->target->array != array || statement_is_update(statement, &op) ||
            !gives_value(flow, statement, decomposition->update))
            continue;
        decomposition->init = statement;
        n++;
    }
    isl_union_map_free(flow);
    return n;
}

static enum status find_init(struct decomposition *decomposition, const struct loop_ref *loop)
{
    const int n = find_inits(decomposition);

    if (n == 0)
        return refuse(decomposition, "decompose_init",
                      "has no statement that initialises its target: the sum starts from what was there before");
    if (n > 1)
        return refuse(decomposition, "decompose_init",
                      "is initialised by several statements: take one out with `fission`");
    if (!order_has(loop->node, decomposition->update))
        return refuse(decomposition, "at", "is not inside of this loop");
    if (!order_has(loop->node, decomposition->init))
        return edit_refuse(decomposition->schedule, loop->place, "decompose_init", NULL,
                           "%s, which initialises it, is not inside of this loop", decomposition->init->label);
    return STATUS_OK;
}

/* node with nothing but init, or with everything but it; NULL when nothing is left. */
static const struct order *part(const struct decomposition *decomposition, const struct order *node, bool init)
{
    struct arena *arena = decomposition->schedule->arena;
    const struct order **child;
    int n = 0;

    if (node->kind == ORDER_LEAF)
        return (node->statement == decomposition->init) == init ? node : NULL;
    child = ARENA_ARRAY(arena, node->n_child, const struct order *);
    for (int k = 0; k < node->n_child; k++) {
        child[n] = part(decomposition, node->child[k], init);
        n += child[n] != NULL;
    }
    if (n == 0)
        return NULL;
    return node->kind == ORDER_SEQUENCE ? order_sequence(arena, child, n) : order_with_children(arena, node, child);
}

static const struct order *divide(void *data, const struct order *node)
{
    struct decomposition *decomposition = data;
    const struct order *both[2];

    if (node->kind != ORDER_LOOP || node->info->id != decomposition->id)
        return node;
    both[0] = part(decomposition, node, true);
    both[1] = part(decomposition, node, false);
    if (!both[0] || !both[1])
        return node;
    return order_sequence(decomposition->schedule->arena, both, 2);
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    struct decomposition decomposition = {.schedule = schedule, .step = step};
    struct loop_ref loop;
    enum status status = find_update(&decomposition);

    if (status != STATUS_OK)
        return status;
    if (!edit_loop_argument(schedule, step, "at", &loop) || !edit_is_single(schedule, &loop, "divide"))
        return STATUS_REFUSED;
    status = find_init(&decomposition, &loop);
    if (status != STATUS_OK)
        return status;
    decomposition.id = loop.info->id;
    return edit_commit(schedule, order_rewrite(schedule->arena, schedule->order, divide, &decomposition));
}

static const struct argument arguments[] = {
    {.key = "decompose_init", .kind = ARGUMENT_STATEMENT, .required = true, .doc = "the update of a reduction"},
    {.key = "at",
     .kind = ARGUMENT_LOOP,
     .required = true,
     .doc = "the outermost loop that the initialisation gets a copy of"},
    {0},
};

const struct primitive primitive_decompose_init = {
    .name = "decompose_init",
    .summary = "initialise a reduction in a loop of its own",
    .rule = "The statement that initialises a reduction gets loops of its own: `at` and those inside "
            "it that enclose the statement, in front of `at`.",
    .proved = "The statement has the form x op= e, and its first updates take their values from one "
              "statement inside `at`, which is no update. Each pair of dependent instances keeps its "
              "order: an initialisation must not overwrite a value that is still to be read.",
    .argument = arguments,
    .apply = apply,
};
