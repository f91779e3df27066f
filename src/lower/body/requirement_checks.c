#include "lower/body/requirement_checks.h"

#include "base/vec.h"
#include "caps/gpu.h"
#include "lower/body/bodies.h"
#include "lower/pipeline.h"
#include "poly/keep.h"
#include "sched/path.h"
#include "tree/translate.h"
#include "tree/vars.h"
#include "tree/visit.h"

/* One test, and the statement that stands for its instances: S[i,j,k] of which i and k matter is test0[i,k]. */
struct test {
    const struct requirement *requirement;
    const struct expr *violated;
    bool *uses; /* by loop of the requirement's statement */
    struct statement *statement;
};

struct checks {
    struct arena *arena;
    const struct program *program, *laid_out;
    struct vars *vars;
    VEC(struct test) tests;
    int ids; /* of loops */
};

/* Is expr known before anything runs? */
static bool is_known(const struct checks *checks, const struct expr *expr)
{
    const bool reads = expr->kind == EXPR_ACCESS;
    bool known = !reads || expr->array->role == ROLE_CONST || expr->array->role == ROLE_IN;

    if (reads && expr->array->n_dim > 0 && gpu_by_language(checks->program->target.language))
        return false;
    for (int k = 0; k < expr->n_arg && known; k++)
        known = is_known(checks, expr->arg[k]);
    return known;
}

static void note_loops(const struct expr *expr, bool *uses)
{
    if (expr->kind == EXPR_LOOP)
        uses[expr->loop] = true;
    for (int k = 0; k < expr->n_arg; k++)
        note_loops(expr->arg[k], uses);
}

/* Is it about the same instances as the test? */
static bool is_alike(const struct test *test, const struct requirement *requirement, const bool *uses)
{
    bool alike = test->requirement->statement == requirement->statement;

    for (int k = 0; alike && k < requirement->statement->n_loop; k++)
        alike = test->uses[k] == uses[k];
    return alike;
}

static void add_test(struct checks *checks, const struct requirement *requirement)
{
    const struct expr *violated = requirement_violated(checks->program, requirement);
    bool *uses = ARENA_ARRAY(checks->arena, requirement->statement->n_loop + 1, bool);

    if (!is_known(checks, violated))
        return;
    note_loops(violated, uses);
    for (int k = 0; k < checks->tests.n; k++) {
        struct test *other = &checks->tests.at[k];
        if (is_alike(other, requirement, uses)) {
            other->violated = requirement_either(checks->program, other->violated, violated);
            return;
        }
    }
    VEC_PUSH(checks->arena, &checks->tests, ((struct test){requirement, violated, uses, NULL}));
}

/* The instances that matter, by the loops that do. */
static void make_statement(struct checks *checks, int number)
{
    struct test *test = &checks->tests.at[number];
    const struct statement *of = test->requirement->statement;
    struct statement *statement = ARENA_NEW(checks->arena, struct statement);
    isl_set *domain = isl_set_copy(of->domain);

    *statement = (struct statement){.index = number, .place = of->place, .nest = of->nest};
    statement->label = arena_printf(checks->arena, "test%d", number);
    statement->loop_name = ARENA_ARRAY(checks->arena, of->n_loop + 1, const char *);
    for (int k = 0; k < of->n_loop; k++)
        if (test->uses[k])
            statement->loop_name[statement->n_loop++] = of->loop_name[k];
    for (int k = of->n_loop - 1; k >= 0; k--)
        if (!test->uses[k])
            domain = isl_set_project_out(domain, isl_dim_set, (unsigned)k, 1);
    statement->domain = isl_set_set_tuple_name(domain, statement->label);
    poly_keep_set(checks->arena, statement->domain);
    test->statement = statement;
}

/* The statement's instances one after the other. */
static const struct order *order_of(struct checks *checks, const struct statement *statement)
{
    const struct order *order = order_leaf(checks->arena, statement, isl_set_copy(statement->domain));

    for (int k = statement->n_loop - 1; k >= 0; k--) {
        struct loop_info *info = ARENA_NEW(checks->arena, struct loop_info);
        *info = (struct loop_info){.id = ++checks->ids, .name = statement->loop_name[k], .stride = 1, .unit = 1};
        order = order_loop(checks->arena, info, path_dimension(statement->domain, k), order);
    }
    return order;
}

/* if (what must not be) the function ends */
static const struct node *tested(const struct checks *checks, const struct node *leaf)
{
    const struct test *test = &checks->tests.at[leaf->statement->index];
    const struct affine **loop =
        ARENA_ARRAY(checks->arena, test->requirement->statement->n_loop + 1, const struct affine *);
    const struct scope scope = {checks->program, checks->vars->param, loop};
    struct node *refuse = ARENA_NEW(checks->arena, struct node), *condition = ARENA_NEW(checks->arena, struct node);
    const struct node **child = ARENA_ARRAY(checks->arena, 1, const struct node *);

    for (int k = 0, n = 0; k < test->requirement->statement->n_loop; k++)
        if (test->uses[k])
            loop[k] = leaf->argument[n++];
    refuse->kind = NODE_REFUSE;
    child[0] = refuse;
    *condition = (struct node){.kind = NODE_IF, .child = child, .n_child = 1};
    condition->value = body_value(checks->arena, &scope, checks->laid_out, test->violated);
    return condition->value ? condition : NULL;
}

static const struct node *with_tests(const struct checks *checks, const struct node *node)
{
    const struct node **child;

    if (node->kind == NODE_STATEMENT)
        return tested(checks, node);
    child = ARENA_ARRAY(checks->arena, node->n_child + 1, const struct node *);
    for (int k = 0; k < node->n_child; k++) {
        child[k] = with_tests(checks, node->child[k]);
        if (!child[k])
            return NULL;
    }
    return node->n_child ? node_with_children(checks->arena, node, child) : node;
}

/* The program of the tests, which run on the host. */
static const struct program *program_of(struct checks *checks)
{
    struct program *program = ARENA_NEW(checks->arena, struct program);

    *program = *checks->program;
    program->target = (struct target_options){.language = "c", .simd = "none"};
    program->n_statement = checks->tests.n;
    program->statement = ARENA_ARRAY(checks->arena, checks->tests.n + 1, struct statement *);
    for (int k = 0; k < checks->tests.n; k++)
        program->statement[k] = checks->tests.at[k].statement;
    return program;
}

enum status lower_requirement_checks(struct arena *arena, const struct program *program, const struct program *laid_out,
                                     const requirement_vec *requirements, struct vars *vars, struct diags *diags,
                                     const struct node **tree)
{
    struct checks checks = {.arena = arena, .program = program, .laid_out = laid_out, .vars = vars};
    struct pipeline pipeline = {.arena = arena, .vars = vars, .diags = diags};
    const struct order **order;
    enum status status;

    *tree = NULL;
    for (int k = 0; k < requirements->n; k++)
        add_test(&checks, &requirements->at[k]);
    if (checks.tests.n == 0)
        return STATUS_OK;
    order = ARENA_ARRAY(arena, checks.tests.n, const struct order *);
    for (int k = 0; k < checks.tests.n; k++) {
        make_statement(&checks, k);
        order[k] = order_of(&checks, checks.tests.at[k].statement);
    }
    pipeline.stored = program_of(&checks);
    pipeline.order = order_sequence(arena, order, checks.tests.n);
    status = pipeline_run(&pipeline, SECTION_LOOPS);
    if (status == STATUS_OK)
        *tree = with_tests(&checks, pipeline.tree);
    return status;
}
