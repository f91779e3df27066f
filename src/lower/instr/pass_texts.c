/* Pass "texts": loops that an instruction of the description's computes (plan step tensorize with "with").
 *
 * The loops stay, for proofs and whoever runs the tree, inside of a TEXT node; printers write the instruction's text in
 * their place. Loops that have another number of iterations, as at the end of tiles, stay loops. Calls of functions,
 * of which nothing else can be printed, are all found, or the pass refuses.
 */
#include "lower/facts/facts.h"
#include "lower/instr/same_nest.h"
#include "lower/pipeline.h"
#include "plan/loop_plan.h"
#include "sched/edit.h"
#include "tree/visit.h"

/* What became of the loops of one step. */
struct asked {
    const struct step *step;
    const char *difference;
    bool found;
};

struct texts {
    struct lowering *lowering;
    struct tile_site site;
    VEC(struct asked) asked;
    VEC(const struct node *) value; /* nodes around that name one */
};

static const struct loop_plan *plan_of(const struct node *node)
{
    return node->kind == NODE_LOOP && node->info ? node->info->plan : NULL;
}

static struct asked *asked_by(struct texts *texts, const struct step *step)
{
    for (int k = 0; k < texts->asked.n; k++)
        if (texts->asked.at[k].step == step)
            return &texts->asked.at[k];
    VEC_PUSH(texts->lowering->arena, &texts->asked, ((struct asked){.step = step}));
    return &texts->asked.at[texts->asked.n - 1];
}

/* All steps that ask for texts: their loops may be gone from the tree, as those of one iteration are. */
static void note_asked(struct texts *texts, const struct order *order)
{
    const struct loop_plan *plan = order->kind == ORDER_LOOP ? order->info->plan : NULL;

    if (plan && plan->text_place == 1)
        asked_by(texts, plan->text_step);
    for (int k = 0; k < order->n_child; k++)
        note_asked(texts, order->child[k]);
}

/* Are the loops from node on those of the step, in its order? */
static bool are_named(const struct node *node, const struct step *step, int n)
{
    for (int k = 1; k <= n; k++, node = node->child[0]) {
        const struct loop_plan *plan = plan_of(node);
        if (!plan || plan->text_step != step || plan->text_place != k)
            return false;
    }
    return true;
}

static const struct node *text_of(struct texts *texts, const struct facts *facts, const struct node *loop)
{
    struct lowering *lowering = texts->lowering;
    const struct step *step = plan_of(loop)->text_step;
    struct asked *asked = asked_by(texts, step);
    struct same_nest same = {.arena = lowering->arena,
                             .site = &texts->site,
                             .facts = facts,
                             .value = texts->value.at,
                             .n_value = texts->value.n,
                             .instruction = program_instruction(lowering->program, step_string(step, "with", ""))};
    const bool named = are_named(loop, step, instruction_loops(same.instruction)->n_loop);
    const enum sameness sameness = named ? same_nest_find(&same, loop) : NEST_OTHER;
    struct node *text;

    if (sameness != NEST_SAME) {
        if (!asked->difference)
            asked->difference = sameness == NEST_PARTIAL ? "loops have other numbers of iterations"
                                : named                  ? same.difference
                                                         : "the loops are not directly inside each other";
        return loop;
    }
    asked->found = true;
    text = ARENA_NEW(lowering->arena, struct node);
    *text = (struct node){.kind = NODE_TEXT,
                          .instruction = same.instruction->name,
                          .value = same.operands,
                          .computes = loop};
    return text;
}

/* The call that begins with the node, or NULL. */
static const struct call *call_at(const struct node *node)
{
    return node->kind == NODE_ASSIGN && node->statement ? node->statement->call : NULL;
}

static void refuse_call(struct texts *texts, const struct call *call, const char *difference)
{
    struct lowering *lowering = texts->lowering;
    struct diag *diag;

    if (lowering->status != STATUS_OK)
        return;
    diag = diag_error(lowering->pipeline->diags, "called", call->place, "the call of `%s` is not in one piece: %s",
                      call->instruction->name, difference);
    diag_hint(lowering->pipeline->diags, diag,
              "steps may move a call as a whole: by the loops around it, or together with other statements");
    lowering->status = STATUS_REFUSED;
}

/* The n parts, of which the first one declares what its value is kept in. */
static const struct node *apart(struct arena *arena, const struct node *const *part, int n)
{
    const struct node **child = ARENA_ARRAY(arena, n, const struct node *);
    struct node *first = ARENA_NEW(arena, struct node), *block = ARENA_NEW(arena, struct node);

    for (int k = 1; k < n; k++)
        child[k] = part[k];
    *first = *part[0];
    first->declares = first->guard_value ? first->declares : DECLARE_VARIABLE;
    child[0] = first;
    *block = (struct node){.kind = NODE_BLOCK, .child = child, .n_child = n, .scope = true};
    return block;
}

/* node where the condition on data holds, which may be NULL. */
static const struct node *under(struct arena *arena, const struct tree_expr *condition, const struct node *node)
{
    const struct node **child = ARENA_NEW(arena, const struct node *);
    struct node *branch;

    if (!condition)
        return node;
    branch = ARENA_NEW(arena, struct node);
    child[0] = node;
    *branch = (struct node){.kind = NODE_IF, .value = condition, .child = child, .n_child = 1};
    return branch;
}

/* The call whose parts are the children of block from number k on; NULL after reporting that they are not. */
static const struct node *call_of(struct texts *texts, const struct facts *facts, const struct node *block, int k)
{
    struct lowering *lowering = texts->lowering;
    const struct call *call = call_at(block->child[k]);
    struct same_nest same = {.arena = lowering->arena,
                             .site = &texts->site,
                             .facts = facts,
                             .value = texts->value.at,
                             .n_value = texts->value.n,
                             .instruction = call->instruction};
    struct node *text;

    if (k + call->n_part > block->n_child)
        return refuse_call(texts, call, "its parts are not one after the other"), NULL;
    if (!same_call_find(&same, call, &block->child[k]))
        return refuse_call(texts, call, same.difference), NULL;
    text = ARENA_NEW(lowering->arena, struct node);
    *text = (struct node){.kind = NODE_TEXT,
                          .instruction = same.instruction->name,
                          .value = same.operands,
                          .computes = apart(lowering->arena, &block->child[k], call->n_part)};
    return under(lowering->arena, block->child[k]->guard_value, text);
}

/* block with its calls, each one child; block itself where it has none. NULL after reporting. */
static const struct node *with_calls(struct texts *texts, const struct facts *facts, const struct node *block)
{
    const struct node **child = ARENA_ARRAY(texts->lowering->arena, block->n_child + 1, const struct node *);
    struct node *changed;
    int n = 0;

    for (int k = 0; k < block->n_child; k++) {
        const struct call *call = call_at(block->child[k]);

        child[n++] = call ? call_of(texts, facts, block, k) : block->child[k];
        if (!child[n - 1])
            return NULL;
        k += call ? call->n_part - 1 : 0;
    }
    if (n == block->n_child)
        return block;
    changed = ARENA_NEW(texts->lowering->arena, struct node);
    *changed = *block;
    changed->child = child;
    changed->n_child = n;
    return n == 1 && !block->comment && !block->n_local && !block->n_own ? child[0] : changed;
}

/* Is the variable in what is printed? What texts compute is not. */
static bool is_printed(const struct node *node, const struct var *var)
{
    struct node alone = *node;
    bool printed;

    alone.n_child = 0;
    alone.computes = NULL;
    printed = node_uses(&alone, var);
    for (int k = 0; k < node->n_child && !printed; k++)
        printed = is_printed(node->child[k], var);
    return printed;
}

static const struct node *walk(struct texts *texts, const struct facts *facts, const struct node *node)
{
    const struct loop_plan *plan = plan_of(node);
    const struct node **child;
    int entered;

    if (plan && plan->text_place == 1)
        return text_of(texts, facts, node);
    if (node->kind == NODE_BLOCK)
        node = with_calls(texts, facts, node);
    else if (call_at(node))
        refuse_call(texts, call_at(node),
                    call_at(node)->instruction->state ? "launches one after the other do not have its state in common"
                                                      : "there is something else around its parts");
    if (!node || texts->lowering->status != STATUS_OK)
        return NULL;
    if (node->kind == NODE_TEXT)
        return node;
    entered = tile_enter(&texts->site, node);
    if (node->kind == NODE_VALUE)
        VEC_PUSH(texts->lowering->arena, &texts->value, node);
    child = ARENA_ARRAY(texts->lowering->arena, node->n_child + 1, const struct node *);
    for (int k = 0; k < node->n_child; k++) {
        struct facts inside = *facts;

        facts_enter(&inside, node, k);
        child[k] = walk(texts, &inside, node->child[k]);
        if (!child[k])
            return NULL;
    }
    texts->value.n -= node->kind == NODE_VALUE;
    texts->site.around.n -= entered;
    if (node->kind == NODE_VALUE && !node->comment && !is_printed(child[0], node->var))
        return node_substitute(texts->lowering->arena, child[0], node->var, node->lower);
    return node_with_children(texts->lowering->arena, node, child);
}

static void refuse(struct lowering *lowering, const struct asked *asked)
{
    const char *name = step_string(asked->step, "with", "");
    const struct instruction *instruction = program_instruction(lowering->program, name);
    const char *difference = asked->difference ? asked->difference : "they have one iteration, or none";
    struct diag *diag = diag_error(lowering->pipeline->diags, "tensorize", step_place(asked->step, "tensorize"),
                                   "these loops are not what `%s` computes: %s", name, difference);

    diag_note(lowering->pipeline->diags, diag, instruction->place, "its nest is here");
    lowering->status = STATUS_REFUSED;
}

const struct node *lower_texts(struct lowering *lowering, const struct node *tree)
{
    struct texts texts = {.lowering = lowering,
                          .site = {.arena = lowering->arena,
                                   .program = lowering->program,
                                   .param_var = lowering->param_var}};
    struct facts facts;

    if (lowering->program->n_instruction == 0)
        return tree;
    facts = facts_of_program(lowering);
    note_asked(&texts, lowering->pipeline->order);
    tree = walk(&texts, &facts, tree);
    for (int k = 0; k < texts.asked.n; k++)
        if (!texts.asked.at[k].found && lowering->status == STATUS_OK)
            refuse(lowering, &texts.asked.at[k]);
    return lowering->status == STATUS_OK ? tree : NULL;
}
