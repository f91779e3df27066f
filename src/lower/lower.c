#include "lower/lower.h"

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

static void add_name(struct names *used, const struct var *var)
{
    if (!names_has(used, var->name))
        names_add(used, var->name);
}

static void add_var_names(const struct node *node, void *user)
{
    if (node->var)
        add_name(user, node->var);
    for (int k = 0; k < node->n_part; k++)
        add_name(user, node->part[k].var);
}

void lower_used_names(struct lowering *lowering, const struct node *tree, struct names *used)
{
    add_program_names(lowering->program, used);
    node_for_each(tree, add_var_names, used);
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

/* isl makes the loops of an order within one of so many parts. */
enum { PARTS_OF_BUDGET = 5 };

const struct step *lower_last_step(const struct order *order)
{
    const struct step *last = order->kind == ORDER_LOOP ? order->info->step : NULL;

    for (int k = 0; k < order->n_child; k++) {
        const struct step *inner = lower_last_step(order->child[k]);
        last = !last || (inner && inner->number > last->number) ? inner : last;
    }
    return last;
}

/* step: the last one that makes loops, or NULL. */
static void note_last_step(struct lowering *lowering, struct diag *diag, const struct step *step)
{
    struct text text = {0};

    if (!step)
        return;
    step_print(&text, step);
    diag_note(lowering->diags, diag, step->place, "the last step that makes loops: %s", text_str(&text));
    text_free(&text);
}

void lower_report_no_code(struct lowering *lowering, const struct order *order)
{
    const struct step *step = lower_last_step(order);
    struct diag *diag =
        diag_error(lowering->diags, "no-exact-code", step ? step->place : lowering->program->name_place,
                   "there is no exact code for this order: isl's loops have no form here, or numbers exceed 64 bits");

    note_last_step(lowering, diag, step);
    diag_hint(lowering->diags, diag, "smaller numbers, rectangular tiles or fewer steps make simpler loops");
}

unsigned long lower_loops_budget(const struct lowering *lowering)
{
    return isl_ctx_get_max_operations(lowering->program->ctx) / PARTS_OF_BUDGET + 1;
}

void lower_report_undecided(struct lowering *lowering, const struct order *order)
{
    const struct step *step = lower_last_step(order);
    struct diag *diag =
        diag_error(lowering->diags, "budget", step ? step->place : lowering->program->name_place,
                   "lowering is undecided: isl needs more than %lu operations, its part of the budget, to make loops "
                   "of this order",
                   lower_loops_budget(lowering));

    note_last_step(lowering, diag, step);
    diag_hint(lowering->diags, diag,
              "rectangular tiles or fewer steps make simpler loops; a larger --budget, or --budget=0 for none, gives "
              "it more time");
}

struct lowering lower_first(struct arena *arena, const struct program *program, const struct order *order,
                            struct vars *vars, struct diags *diags)
{
    struct lowering lowering = lower_again(arena, program, vars, diags);

    lowering.proved = false;
    add_program_names(program, &lowering.taken);
    take_loop_names(&lowering, order);
    return lowering;
}
