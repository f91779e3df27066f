#include "lower/lower.h"

#include "caps/gpu.h"
#include "plan/device/kernels.h"
#include "tree/verify.h"
#include "tree/visit.h"

struct lowering lower_again(struct arena *arena, const struct program *program, struct vars *vars, struct diags *diags)
{
    return (struct lowering){.arena = arena,
                             .program = program,
                             .vars = vars,
                             .param_var = vars->param,
                             .diags = diags,
                             .taken = {.arena = arena},
                             .proved = true};
}

struct var *lower_new_var(struct lowering *lowering, enum var_kind kind, const char *name)
{
    return var_new(lowering->vars, kind, name);
}

static void add_program_names(const struct program *program, struct names *used)
{
    names_add(used, program->name);
    if (program->target.host_launcher)
        names_add(used, arena_printf(program->arena, "%s_host", program->name));
    program_add_names(program, used);
}

static void add_var_name(const struct node *node, void *user)
{
    struct names *used = user;

    if (node->var && !names_has(used, node->var->name))
        names_add(used, node->var->name);
}

void lower_used_names(struct lowering *lowering, const struct node *tree, struct names *used)
{
    add_program_names(lowering->program, used);
    node_for_each(tree, add_var_name, used);
}

const char *lower_free_name(struct lowering *lowering, const char *wanted)
{
    const int n_taken = lowering->taken.used.n;
    const char *name = names_unique(&lowering->taken, wanted);

    lowering->taken.used.n = n_taken;
    return name;
}

static void take(struct lowering *lowering, const char *name)
{
    if (!names_has(&lowering->taken, name))
        names_add(&lowering->taken, name);
}

static void take_loop_names(struct lowering *lowering, const struct order *order)
{
    if (order->kind == ORDER_LOOP)
        take(lowering, order->info->name);
    for (int k = 0; k < order->n_child; k++)
        take_loop_names(lowering, order->child[k]);
}

/* Once more for each loop whose rest turns out to stay where it is. */
static const struct node *shape(struct lowering *lowering, const struct order *order)
{
    const struct node *tree = lower_shape(lowering, order);

    while (tree && lower_guard_ragged(lowering, tree))
        tree = lower_shape(lowering, order);
    return tree;
}

static const struct node *run_passes(struct lowering *lowering, const struct order *order)
{
    static const struct {
        const char *name;
        const struct node *(*run)(struct lowering *lowering, const struct node *tree);
    } pass[] = {
        {"check_tails", lower_check_tails},
        {"cases", lower_cases},
        {"literal", lower_literal},
        {"unroll", lower_unroll},
        {"shadow", lower_shadow},
        {"whole", lower_whole},
        {"bind", lower_bind},
        {"end", lower_end},
        {"extent", lower_extent},
        {"digits", lower_digits},
        {"name", lower_name},
        {"else", lower_else},
        {"threads", lower_threads},
        {"kernels", lower_kernels},
        {"finish", lower_finish},
    };
    const struct node *tree = tree_verified(lowering->vars, "shape", shape(lowering, order));

    for (size_t k = 0; k < sizeof(pass) / sizeof(pass[0]) && tree; k++)
        tree = tree_verified(lowering->vars, pass[k].name, pass[k].run(lowering, tree));
    return tree;
}

/* On a device every nest is lowered by itself: it has a kernel of its own. */
static const struct node *lower_parts(struct lowering *lowering, const struct order *order)
{
    struct kernels parts;
    const struct node **part;

    if (!gpu_by_language(lowering->program->target.language))
        return run_passes(lowering, order);
    parts = kernels_parts(lowering->arena, order);
    part = ARENA_ARRAY(lowering->arena, parts.n, const struct node *);
    for (int k = 0; k < parts.n; k++) {
        lowering->part = parts.list[k];
        lowering->kernels = kernels_of(lowering->arena, parts.list[k]);
        part[k] = run_passes(lowering, parts.list[k]);
        if (!part[k])
            return NULL;
    }
    lower_name_kernels(lowering);
    return node_block(lowering->arena, part, parts.n);
}

/* The last step that a loop in order comes from. */
static const struct step *last_step(const struct order *order)
{
    const struct step *last = order->kind == ORDER_LOOP ? order->info->step : NULL;

    for (int k = 0; k < order->n_child; k++) {
        const struct step *inner = last_step(order->child[k]);
        last = !last || (inner && inner->number > last->number) ? inner : last;
    }
    return last;
}

static void report_no_code(struct lowering *lowering, const struct order *order)
{
    const struct program *program = lowering->program;
    const struct step *step = last_step(order);
    struct text text = {0};
    struct diag *diag =
        diag_error(lowering->diags, "no-exact-code", step ? step->place : program->name_place,
                   "there is no exact code for this order: isl's loops have no form here, or numbers exceed 64 bits");

    if (step) {
        step_print(&text, step);
        diag_note(lowering->diags, diag, step->place, "the last step that makes loops: %s", text_str(&text));
    }
    diag_hint(lowering->diags, diag, "smaller numbers, rectangular tiles or fewer steps make simpler loops");
    text_free(&text);
}

enum status lower_order(struct arena *arena, const struct program *program, const struct order *order,
                        struct vars *vars, struct diags *diags, const struct node **tree)
{
    struct lowering lowering = {.arena = arena,
                                .program = program,
                                .vars = vars,
                                .param_var = vars->param,
                                .diags = diags,
                                .taken = {.arena = arena}};

    add_program_names(program, &lowering.taken);
    take_loop_names(&lowering, order);
    *tree = lower_parts(&lowering, order);
    if (*tree && lower_tuples(&lowering, *tree)) {
        lower_tell_threads(&lowering, order, *tree);
        return lower_check_cover(&lowering, order, *tree);
    }
    if (lowering.refused)
        return STATUS_REFUSED;
    if (vars->broken)
        return STATUS_ENVIRONMENT;
    if (lowering.failed || isl_ctx_last_error(program->ctx) == isl_error_none)
        report_no_code(&lowering, order);
    return lowering.failed ? STATUS_REFUSED : STATUS_ENVIRONMENT;
}
