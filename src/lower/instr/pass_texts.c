/* Pass "texts": loops that an instruction of the description's computes (plan step tensorize with "with").
 *
 * The loops stay, for proofs and whoever runs the tree, inside of a TEXT node; printers write the instruction's text in
 * their place. Loops that have another number of iterations, as at the end of tiles, stay loops.
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

static const struct node *walk(struct texts *texts, const struct facts *facts, const struct node *node)
{
    const struct loop_plan *plan = plan_of(node);
    const struct node **child;
    int entered;

    if (plan && plan->text_place == 1)
        return text_of(texts, facts, node);
    entered = tile_enter(&texts->site, node);
    if (node->kind == NODE_VALUE)
        VEC_PUSH(texts->lowering->arena, &texts->value, node);
    child = ARENA_ARRAY(texts->lowering->arena, node->n_child + 1, const struct node *);
    for (int k = 0; k < node->n_child; k++) {
        struct facts inside = *facts;

        facts_enter(&inside, node, k);
        child[k] = walk(texts, &inside, node->child[k]);
    }
    texts->value.n -= node->kind == NODE_VALUE;
    texts->site.around.n -= entered;
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
