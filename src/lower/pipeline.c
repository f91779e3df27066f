#include "lower/pipeline.h"

#include "caps/gpu.h"
#include "lower/body/bodies.h"
#include "lower/body/leave.h"
#include "lower/facts/ends.h"
#include "lower/instr/dots.h"
#include "lower/instr/tensors.h"
#include "lower/instr/tile_setup.h"
#include "lower/instr/tiles.h"
#include "lower/prove/replay_tree.h"
#include "lower/threads/fences.h"
#include "lower/threads/hints.h"
#include "lower/threads/streams.h"
#include "lower/vector/full_lanes.h"
#include "lower/vector/interleave.h"
#include "lower/vector/loose.h"
#include "lower/vector/reach.h"
#include "lower/vector/registers.h"
#include "lower/vector/reuse/forward.h"
#include "lower/vector/reuse/hoist.h"
#include "lower/vector/reuse/operands.h"
#include "lower/vector/reuse/row_pointers.h"
#include "lower/vector/reuse/rows.h"
#include "lower/vector/reuse/splats.h"
#include "lower/vector/reuse/subterms.h"
#include "lower/vector/vectors.h"
#include "tree/pointers.h"
#include "tree/verify.h"

#include <string.h>

/* tree, made by a pass that says itself how it went. */
static const struct node *told(struct lowering *lowering, enum status status, const struct node *tree)
{
    lowering->status = status;
    return status == STATUS_OK ? tree : NULL;
}

/* Other passes share nothing with those before them. */
static void start_again(struct lowering *lowering, const struct program *program, struct diags *diags)
{
    struct pipeline *pipeline = lowering->pipeline;

    *lowering = lower_again(pipeline->arena, program, pipeline->vars, diags);
    lowering->pipeline = pipeline;
}

/* What "shape" begins with; a dump of it is where that begins. */
static const struct node *whole_tree(struct lowering *lowering, const struct node *tree)
{
    (void)lowering;
    return tree;
}

/* Once more for each loop whose rest turns out to stay where it is. */
static const struct node *shape(struct lowering *lowering, const struct node *tree)
{
    const struct order *order = lowering->part ? lowering->part : lowering->pipeline->order;

    tree = lower_shape(lowering, order);
    while (tree && lower_guard_ragged(lowering, tree))
        tree = lower_shape(lowering, order);
    return tree;
}

static const struct node *launches(struct lowering *lowering, const struct node *tree)
{
    lower_name_kernels(lowering);
    return tree;
}

/* The tree has a form with one loop in the place of collapsed ones, and runs each instance once. */
static const struct node *cover(struct lowering *lowering, const struct node *tree)
{
    const struct order *order = lowering->pipeline->order;

    if (!lower_tuples(lowering, tree))
        return NULL;
    lower_tell(lowering, order, tree);
    return told(lowering, lower_check_cover(lowering, order, tree), tree);
}

static const struct node *replay(struct lowering *lowering, const struct node *tree)
{
    struct pipeline *pipeline = lowering->pipeline;

    pipeline->proved = tree;
    if (!pipeline->described)
        return tree;
    return told(lowering,
                replay_tree(lowering->arena, pipeline->described, pipeline->stored, tree, lowering->param_var,
                            lowering->diags, &pipeline->replayed),
                tree);
}

static void begin_bodies(struct lowering *lowering)
{
    start_again(lowering, lowering->pipeline->stored, NULL);
}

static const struct node *bodies(struct lowering *lowering, const struct node *tree)
{
    const struct pipeline *pipeline = lowering->pipeline;

    return lower_bodies(lowering, pipeline->laid_out, pipeline->reordered, tree);
}

/* From here on the tree with these bounds is the one that the finished tree is compared with. */
static const struct node *clip(struct lowering *lowering, const struct node *tree)
{
    const struct node *clipped = lower_clip(lowering, tree);

    if (clipped && clipped != tree)
        lowering->pipeline->proved = clipped;
    return clipped;
}

static const struct node *leave(struct lowering *lowering, const struct node *tree)
{
    const struct pipeline *p = lowering->pipeline;

    return lower_leave(lowering, p->laid_out, p->diags, tree);
}

static void begin_private(struct lowering *lowering)
{
    lowering->program = lowering->pipeline->laid_out;
}

static const struct node *tensors(struct lowering *lowering, const struct node *tree)
{
    const struct pipeline *p = lowering->pipeline;
    const enum status status = lower_tensors(p->arena, p->laid_out, p->vars, tree, p->diags, &tree);

    return told(lowering, status, tree);
}

static const struct node *tiles(struct lowering *lowering, const struct node *tree)
{
    const struct pipeline *p = lowering->pipeline;
    const enum status status = lower_tiles(p->arena, p->laid_out, p->vars, tree, p->diags, &tree);

    return told(lowering, status, tree);
}

static void begin_vectors(struct lowering *lowering)
{
    start_again(lowering, lowering->pipeline->laid_out, lowering->pipeline->diags);
}

static const struct node *vectors(struct lowering *lowering, const struct node *tree)
{
    lower_used_names(lowering, tree, &lowering->taken);
    return lower_vectors(lowering, tree);
}

static const struct node *registers(struct lowering *lowering, const struct node *tree)
{
    lower_check_registers(lowering, tree);
    return tree;
}

static const struct node *hoist(struct lowering *lowering, const struct node *tree)
{
    return lower_hoist(lowering->arena, tree);
}

static const struct node *hints(struct lowering *lowering, const struct node *tree)
{
    const struct pipeline *p = lowering->pipeline;
    const enum status status = lower_hints(p->arena, p->order, p->diags, tree, &tree);

    return told(lowering, status, tree);
}

static const struct node *streams(struct lowering *lowering, const struct node *tree)
{
    const struct pipeline *p = lowering->pipeline;
    const enum status status = lower_streams(p->arena, p->laid_out, p->vars, p->order, p->diags, &tree);

    return told(lowering, status, tree);
}

static const struct node *rows(struct lowering *lowering, const struct node *tree)
{
    return lower_rows(lowering->arena, lowering->program, lowering->vars, tree);
}

static const struct node *row_pointers(struct lowering *lowering, const struct node *tree)
{
    return lower_row_pointers(lowering->arena, lowering->program, lowering->vars, tree);
}

static const struct node *regions(struct lowering *lowering, const struct node *tree)
{
    return lower_regions(lowering->arena, lowering->program, lowering->vars, tree);
}

static const struct node *fences(struct lowering *lowering, const struct node *tree)
{
    return lower_fences(lowering->arena, tree);
}

static const struct node *tile_setup(struct lowering *lowering, const struct node *tree)
{
    return lower_tile_setup(lowering->arena, tree);
}

static const struct node *grid(struct lowering *lowering, const struct node *tree)
{
    const struct pipeline *p = lowering->pipeline;
    const enum status status = lower_grid(p->arena, p->laid_out, p->vars, tree, p->diags, &tree);

    return told(lowering, status, tree);
}

static const struct node *declarations(struct lowering *lowering, const struct node *tree)
{
    return lower_declarations(lowering->arena, lowering->pipeline->laid_out, tree);
}

static const struct node *outline(struct lowering *lowering, const struct node *tree)
{
    const struct pipeline *p = lowering->pipeline;
    const enum status status = lower_outline(p->arena, p->laid_out, tree, p->diags, &tree);

    return told(lowering, status, tree);
}

/* The finished tree runs the instances that were proved, lanes and masks included. */
static const struct node *replay_end(struct lowering *lowering, const struct node *tree)
{
    const struct pipeline *p = lowering->pipeline;
    const struct node *wrong = ends_too_early(p->arena, tree);

    if (wrong) {
        diag_error(p->diags, "internal", p->laid_out->name_place,
                   "internal error: the loop over `%s` may end before all is done", wrong->var->name);
        return told(lowering, STATUS_ENVIRONMENT, tree);
    }
    if (!p->described)
        return tree;
    return told(lowering,
                replay_finished(p->arena, p->stored, p->laid_out, p->proved, node_without_pointers(p->arena, tree),
                                p->vars->param, &p->replayed, p->diags),
                tree);
}

#define PART .each_part = true
#define DEVICE .targets = PASS_DEVICE
#define BEGINS .begin =
#define NEEDS .requires =
#define GIVES .gives =

#define ROW(name, ...) {#name, lower_##name, __VA_ARGS__},
#define OWN_ROW(name, ...) {#name, __VA_ARGS__},

static const struct pass row[] = {PASSES(ROW, OWN_ROW)};

enum { N_PASS = (int)(sizeof(row) / sizeof(row[0])) };

const struct pass *pipeline_passes(int *n)
{
    *n = N_PASS;
    return row;
}

const struct pass *pipeline_find(const char *name)
{
    for (int k = 0; k < N_PASS; k++)
        if (strcmp(row[k].name, name) == 0)
            return &row[k];
    return NULL;
}

bool pipeline_runs(const struct pass *pass, const struct program *program)
{
    return pass->targets == PASS_ANY || gpu_by_language(program->target.language);
}
