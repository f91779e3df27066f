#include "lower/pipeline.h"

#include "caps/gpu.h"
#include "lower/body/bodies.h"
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
#include "lower/vector/reuse/rows.h"
#include "lower/vector/reuse/splats.h"
#include "lower/vector/reuse/subterms.h"
#include "lower/vector/vectors.h"
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
    lower_tell_threads(lowering, order, tree);
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
                            lowering->diags),
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
    return told(lowering, lower_check_registers(lowering, tree) ? STATUS_OK : STATUS_REFUSED, tree);
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

    if (!p->described)
        return tree;
    return told(lowering, replay_finished(p->arena, p->stored, p->laid_out, p->proved, tree, p->vars->param, p->diags),
                tree);
}

#define PART .each_part = true
#define DEVICE .targets = PASS_DEVICE
#define BEGINS .begin =
#define NEEDS .requires =
#define GIVES .gives =

static const struct pass row[] = {
    /* Loops over counts. */
    {"loops", whole_tree, SECTION_LOOPS, PART, .inside = "shape"},
    /* Divisions get shorter. */
    {"tidy", lower_tidy, SECTION_LOOPS, PART, .inside = "shape"},
    /* Loop variables take the values that the user sees, `i += 32`. */
    {"scale", lower_scale, SECTION_LOOPS, PART, .inside = "shape"},
    /* Loops made of tiles are cut where their inner loops change shape: full part and rest; bounds and conditions lose
     * what the loops around already say; loops of one iteration go. */
    {"refine", lower_refine, SECTION_LOOPS, PART, .inside = "shape", GIVES FACT_ROUTINES},
    /* The loops of the order, read off it or generated by isl, whichever reads better. */
    {"shape", shape, SECTION_LOOPS, PART},
    /* Every rest that was to be peeled was. */
    {"check_tails", lower_check_tails, SECTION_LOOPS, PART},
    /* Tiles of which each remainder has a function of its own. */
    {"cases", lower_cases, SECTION_LOOPS, PART, NEEDS FACT_ROUTINES},
    /* Loops that are unrolled or vectorised get constant bounds, in full tiles and in others. */
    {"literal", lower_literal, SECTION_LOOPS, PART},
    /* Small pieces that a step wants unrolled. */
    {"unroll", lower_unroll, SECTION_LOOPS, PART},
    /* A loop inside another of the same name gets a name of its own. */
    {"shadow", lower_shadow, SECTION_LOOPS, PART},
    /* Loops by several elements go up to the end of what has so many, `k < K` for `k < K - 3`. */
    {"whole", lower_whole, SECTION_LOOPS, PART, DEVICE},
    /* Loops bound to blocks and threads get one shape for all of them. */
    {"bind", lower_bind, SECTION_LOOPS, PART, DEVICE},
    /* An end of tiles that other bounds depend on gets a name, `const int64_t t_end = min(T, t + 4)`. */
    {"end", lower_end, SECTION_LOOPS, PART},
    /* What remains a minimum gets a name, `const int64_t jj_n = min(64, N - j)`. */
    {"extent", lower_extent, SECTION_LOOPS, PART},
    /* Coordinates of collapsed loops are the digits of one sum, (ij + q) / 7 and (ij + q) % 7. */
    {"digits", lower_digits, SECTION_LOOPS, PART},
    /* Coordinates that are long and often used get one, `const int64_t i_S = i + ii - t`. */
    {"name", lower_name, SECTION_LOOPS, PART},
    /* Of two conditions next to each other, one of which holds, the second is `else`. */
    {"else", lower_else, SECTION_LOOPS, PART, GIVES FACT_ELSE},
    /* Loops that are parallel say so. */
    {"threads", lower_threads, SECTION_LOOPS, PART, GIVES FACT_THREADS},
    /* What runs on a device says so. */
    {"kernels", lower_kernels, SECTION_LOOPS, PART, DEVICE, GIVES FACT_KERNELS},
    /* The facts that printers need: which variables fit an int, which divisions C rounds right. */
    {"finish", lower_finish, SECTION_LOOPS, PART},
    /* The kernels of all parts get their names. */
    {"launches", launches, SECTION_LOOPS, DEVICE, NEEDS FACT_KERNELS},
    /* The proof that every instance of every statement runs exactly once. */
    {"cover", cover, SECTION_LOOPS, NEEDS FACT_THREADS},
    /* The order of the tree, replayed on small parameters. */
    {"replay", replay, SECTION_LOOPS, NEEDS FACT_THREADS},

    /* Statements become assignments of typed expressions. */
    {"bodies", bodies, SECTION_BODIES, BEGINS begin_bodies, GIVES FACT_BODIES},
    /* What finish does, for subscripts. */
    {"plain", lower_plain, SECTION_BODIES, NEEDS FACT_BODIES},
    /* Collapsed loops with symbolic inner extents are one loop each. */
    {"tuples", lower_tuples, SECTION_BODIES, NEEDS FACT_THREADS, GIVES FACT_TUPLES},
    /* Arrays that each thread has for itself lose the dimensions that only tell threads apart. */
    {"private", lower_private, SECTION_BODIES, BEGINS begin_private, NEEDS FACT_BODIES},
    /* Variables are declared where they live. */
    {"scopes", lower_scopes, SECTION_BODIES, NEEDS FACT_BODIES},
    /* Tiles of products that tensor cores compute. */
    {"tensors", tensors, SECTION_BODIES, DEVICE, NEEDS FACT_BODIES, GIVES FACT_TENSORS},
    /* The same in a CPU's registers for tiles. */
    {"tiles", tiles, SECTION_BODIES, NEEDS FACT_BODIES, GIVES FACT_TILES},
    /* Loops that run in vector lanes are their bodies for all lanes at once. */
    {"vectors", vectors, SECTION_BODIES, BEGINS begin_vectors, NEEDS FACT_BODIES | FACT_TUPLES, GIVES FACT_VECTORS},
    /* Arrays in registers have literal subscripts. */
    {"registers", registers, SECTION_BODIES, NEEDS FACT_VECTORS},
    /* Sums of products of neighbours are one instruction. */
    {"dots", lower_dots, SECTION_BODIES, NEEDS FACT_VECTORS},
    /* Lanes that nothing looks at take part. */
    {"full_lanes", lower_full_lanes, SECTION_BODIES, NEEDS FACT_VECTORS},
    /* Lanes in groups of neighbours are loaded and stored as whole groups. */
    {"interleave", lower_interleave, SECTION_BODIES, NEEDS FACT_VECTORS},
    /* Addresses of lanes that are not active stay inside of the array. */
    {"reach", lower_reach, SECTION_BODIES, NEEDS FACT_VECTORS},
    /* What does not change in a loop moves in front of it. */
    {"hoist", hoist, SECTION_BODIES, NEEDS FACT_VECTORS},
    /* What was stored is not loaded again. */
    {"forward", lower_forward, SECTION_BODIES, NEEDS FACT_VECTORS},
    /* One value in all lanes is made once. */
    {"splats", lower_splats, SECTION_BODIES, NEEDS FACT_VECTORS},
    /* What several vectors load is loaded once. */
    {"operands", lower_operands, SECTION_BODIES, NEEDS FACT_VECTORS},
    /* What several vectors compute is computed once. */
    {"subterms", lower_subterms, SECTION_BODIES, NEEDS FACT_VECTORS},
    /* Prefetches, and lines for the compiler. */
    {"hints", hints, SECTION_BODIES, NEEDS FACT_VECTORS, GIVES FACT_HINTS},
    /* Stores past the caches. */
    {"streams", streams, SECTION_BODIES, NEEDS FACT_VECTORS, GIVES FACT_STREAMS},
    /* Pointers to rows that loops go along. */
    {"rows", rows, SECTION_BODIES, NEEDS FACT_VECTORS, GIVES FACT_ROWS},
    /* Parallel loops that follow each other, or that a loop repeats, share one parallel region. */
    {"regions", regions, SECTION_BODIES, NEEDS FACT_THREADS, GIVES FACT_REGIONS},
    /* What was streamed is seen before what follows. */
    {"fences", fences, SECTION_BODIES, NEEDS FACT_STREAMS | FACT_REGIONS, GIVES FACT_FENCES},
    /* Lanes of register tiles that nothing looks at get anything. */
    {"loose", lower_loose, SECTION_BODIES, NEEDS FACT_VECTORS},
    /* Registers for tiles get their shape. */
    {"tile_setup", tile_setup, SECTION_BODIES, NEEDS FACT_TILES, GIVES FACT_TILE_SHAPES},

    /* Loops over positions of the launch are values of the position. */
    {"grid", grid, SECTION_END, DEVICE, NEEDS FACT_BODIES | FACT_KERNELS, GIVES FACT_GRID},
    /* What each thread of a kernel has is declared where it gets its first value. */
    {"declarations", declarations, SECTION_END, NEEDS FACT_BODIES, GIVES FACT_DECLARATIONS},
    /* Functions get their arguments. */
    {"outline", outline, SECTION_END, NEEDS FACT_BODIES | FACT_TUPLES, GIVES FACT_ARGUMENTS},
    /* The order of the finished tree, replayed on small parameters, against the one that was proved. */
    {"replay_end", replay_end, SECTION_END, NEEDS FACT_ARGUMENTS},
};

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
