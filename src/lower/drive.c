/* Runs the rows of passes.h in order: all of them, or those after the pass whose dump was read. */
#include "lower/pipeline.h"

#include "caps/gpu.h"
#include "lower/dump/dump.h"
#include "tree/verify.h"
#include "tree/visit.h"

#include <isl/ctx.h>
#include <string.h>

static struct dump_scope scope_of(const struct pipeline *pipeline, const struct pass *pass)
{
    return (struct dump_scope){.arena = pipeline->arena,
                               .stored = pipeline->stored,
                               .arrays = pass->section == SECTION_LOOPS ? pipeline->stored : pipeline->laid_out,
                               .order = pipeline->order,
                               .vars = pipeline->vars};
}

static void dump(struct lowering *lowering, const struct pass *pass, const struct node *tree)
{
    const struct pipeline *pipeline = lowering->pipeline;
    const struct dump_scope scope = scope_of(pipeline, pass);
    const bool guards = pass->section == SECTION_LOOPS;

    if (!pipeline->dump || !tree)
        return;
    if (pipeline->last && strcmp(pipeline->last, pass->name) != 0)
        return;
    if (!pipeline->dump->size)
        dump_begin(pipeline->dump);
    dump_write(pipeline->dump, &scope, pass->name, lowering->guarded.at, guards ? lowering->guarded.n : 0, tree);
}

const struct node *pipeline_passed(struct lowering *lowering, const char *name, const struct node *tree)
{
    struct pipeline *pipeline = lowering->pipeline;
    const struct pass *pass = pipeline_find(name);

    pipeline->facts |= pass->gives;
    tree = tree_verified(lowering->vars, pipeline->facts, name, tree);
    dump(lowering, pass, tree);
    return tree;
}

/* Is it the pass behind which to end, or the one that runs it? */
static bool is_last(const struct pipeline *pipeline, const struct pass *pass)
{
    const struct pass *last = pipeline->last ? pipeline_find(pipeline->last) : NULL;

    return last && (last == pass || (last->inside && strcmp(last->inside, pass->name) == 0));
}

/* Is there what the pass requires? If not, that is noted. */
static bool has_required(struct lowering *lowering, const struct pass *pass)
{
    struct vars *vars = lowering->vars;

    if (!(pass->requires & ~lowering->pipeline->facts))
        return true;
    if (!vars->broken)
        vars->broken = arena_printf(vars->arena, "pass \"%s\" runs before what it requires is there", pass->name);
    return false;
}

/* A pass that runs others is over where they do so by themselves, behind a dump of one of them. */
static bool is_over(const struct pipeline *pipeline, const struct pass *pass)
{
    const char *around = pipeline->from ? pipeline->from->inside : NULL;

    return around && strcmp(around, pass->name) == 0;
}

static const struct node *run_row(struct lowering *lowering, const struct pass *pass, const struct node *tree)
{
    if (!has_required(lowering, pass))
        return NULL;
    if (pass->begin)
        pass->begin(lowering);
    tree = is_over(lowering->pipeline, pass) ? tree : pass->run(lowering, tree);
    tree = pipeline_passed(lowering, pass->name, tree);
    return lowering->refused ? NULL : tree;
}

/* Rows begin .. end - 1 over tree; those behind `last` do not run. */
static const struct node *run_rows(struct lowering *lowering, int begin, int end, const struct node *tree)
{
    const struct pipeline *pipeline = lowering->pipeline;
    const struct pass *row = pipeline_passes(&(int){0});

    for (int k = begin; k < end; k++) {
        const bool alone = !row[k].inside || (pipeline->from && pipeline->from->inside);
        if (alone && pipeline_runs(&row[k], pipeline->stored)) {
            tree = run_row(lowering, &row[k], tree);
            if (!tree)
                return NULL;
        }
        if (alone && is_last(pipeline, &row[k])) {
            lowering->pipeline->ended = true;
            return tree;
        }
    }
    return tree;
}

/* On a device every nest is lowered by itself: it has a kernel of its own. trees: one for each, to begin with, or
 * NULL. */
static const struct node *run_parts(struct lowering *lowering, int begin, int end, const dumped_vec *trees)
{
    struct arena *arena = lowering->arena;
    const unsigned facts = lowering->pipeline->facts;
    const struct kernels parts = kernels_parts(arena, lowering->pipeline->order);
    const struct node **part = ARENA_ARRAY(arena, parts.n, const struct node *);

    for (int k = 0; k < parts.n; k++) {
        lowering->pipeline->facts = facts;
        lowering->part = parts.list[k];
        lowering->kernels = kernels_of(arena, parts.list[k]);
        part[k] = run_rows(lowering, begin, end, trees ? trees->at[k].tree : NULL);
        if (!part[k])
            return NULL;
    }
    return node_block(arena, part, parts.n);
}

/* Does the pass run for each part by itself? */
static bool runs_for_parts(const struct pipeline *pipeline, const struct pass *pass)
{
    return pass->each_part && gpu_by_language(pipeline->stored->target.language);
}

static void note_launch(const struct node *node, void *user)
{
    struct lowering *lowering = user;

    if (node->kind == NODE_KERNEL)
        VEC_PUSH(lowering->arena, &lowering->launches, (struct launch *)(uintptr_t)node->launch);
}

static bool refuse_dump(struct lowering *lowering, struct place place, const char *message)
{
    diag_error(lowering->pipeline->diags, "dump", place, "%s", message);
    lowering->vars->broken = NULL;
    lowering->status = STATUS_REFUSED;
    return false;
}

/* The trees that were read are as trees are after the pass, and as many as there are then. */
static bool check_trees(struct lowering *lowering, const dumped_vec *trees)
{
    const struct pipeline *pipeline = lowering->pipeline;
    const int n = runs_for_parts(pipeline, pipeline->from) ? kernels_parts(lowering->arena, pipeline->order).n : 1;

    for (int k = 0; k < trees->n; k++)
        if (!tree_verified(lowering->vars, pipeline->facts, pipeline->from->name, trees->at[k].tree))
            return refuse_dump(lowering, trees->at[k].place, lowering->vars->broken);
    if (trees->n == n)
        return true;
    return refuse_dump(lowering, trees->at[trees->n - 1].place,
                       arena_printf(lowering->arena, "the dump has %d trees, there should be %d", trees->n, n));
}

/* Reads the dump, and brings everything to where it is behind the pass. */
static bool resume(struct lowering *lowering, dumped_vec *trees)
{
    struct pipeline *pipeline = lowering->pipeline;
    const struct dump_scope scope = scope_of(pipeline, pipeline->from);
    int n;
    const struct pass *row = pipeline_passes(&n);

    for (int k = 0; k < n && &row[k] <= pipeline->from; k++) {
        pipeline->facts |= pipeline_runs(&row[k], pipeline->stored) ? row[k].gives : 0;
        if (row[k].begin)
            row[k].begin(lowering);
    }
    if (!dump_read(&scope, pipeline->dumped, pipeline->diags, trees, lowering)) {
        lowering->status = STATUS_REFUSED;
        return false;
    }
    if (!check_trees(lowering, trees))
        return false;
    for (int k = 0; k < trees->n; k++) {
        node_for_each(trees->at[k].tree, note_launch, lowering);
        if (!pipeline->last || pipeline_find(pipeline->last) == pipeline->from)
            dump(lowering, pipeline->from, trees->at[k].tree);
    }
    pipeline->ended = pipeline->last && pipeline_find(pipeline->last) == pipeline->from;
    return true;
}

/* The first row from k on that is not of the section, or does not run for parts as the first one does. */
static int alike(int k)
{
    int n;
    const struct pass *row = pipeline_passes(&n), *first = &row[k];

    while (k < n && row[k].section == first->section && row[k].each_part == first->each_part)
        k++;
    return k;
}

/* Why there is no tree. */
static enum status failure(struct lowering *lowering, enum section section)
{
    if (lowering->status != STATUS_OK)
        return lowering->status;
    if (lowering->refused)
        return STATUS_REFUSED;
    if (lowering->vars->broken)
        return STATUS_ENVIRONMENT;
    if (section != SECTION_LOOPS)
        return STATUS_OK;
    if (lowering->spent) {
        lower_report_undecided(lowering, lowering->pipeline->order);
        return STATUS_UNDECIDED;
    }
    if (lowering->failed || isl_ctx_last_error(lowering->program->ctx) == isl_error_none)
        lower_report_no_code(lowering, lowering->pipeline->order);
    return lowering->failed ? STATUS_REFUSED : STATUS_ENVIRONMENT;
}

/* Rows begin .. end - 1, which are alike. trees: what to begin with instead of the pipeline's tree, or NULL. */
static void run_alike(struct lowering *lowering, int begin, int end, const dumped_vec *trees)
{
    struct pipeline *pipeline = lowering->pipeline;
    const struct pass *row = pipeline_passes(&(int){0});

    if (trees && !runs_for_parts(pipeline, &row[end - 1]))
        pipeline->tree = trees->at[0].tree;
    if (runs_for_parts(pipeline, &row[end - 1]))
        pipeline->tree = run_parts(lowering, begin, end, trees);
    else
        pipeline->tree = run_rows(lowering, begin, end, pipeline->tree);
}

enum status pipeline_resume(struct pipeline *pipeline, const struct source *dumped)
{
    const struct pass *last = pipeline->last ? pipeline_find(pipeline->last) : NULL;
    struct pipeline loops = *pipeline;
    enum status status = STATUS_OK;

    pipeline->dumped = dumped;
    pipeline->from = dump_pass(pipeline->arena, dumped, pipeline->diags);
    if (!pipeline->from)
        return STATUS_REFUSED;
    if (!pipeline_runs(pipeline->from, pipeline->stored) || (last && last < pipeline->from)) {
        diag_error(pipeline->diags, "dump", PLACE_NONE, "the dump is of the pass \"%s\", %s", pipeline->from->name,
                   last ? "which comes later" : "which runs for devices only");
        return STATUS_USAGE;
    }
    if (pipeline->from < pipeline_find("replay") || (last && last != pipeline_find("replay_end")))
        return STATUS_OK;
    loops.dump = NULL;
    loops.last = NULL;
    status = pipeline_run(&loops, SECTION_LOOPS);
    pipeline->proved = loops.proved;
    return status;
}

enum status pipeline_run(struct pipeline *pipeline, enum section section)
{
    struct lowering lowering;
    int n;
    const struct pass *row = pipeline_passes(&n), *from = pipeline->from;
    dumped_vec trees = {0};

    if (from && section < from->section)
        return STATUS_OK;
    if (section == SECTION_LOOPS)
        lowering = lower_first(pipeline->arena, pipeline->stored, pipeline->order, pipeline->vars, pipeline->diags);
    else if (pipeline->tree || (from && section == from->section))
        lowering = lower_again(pipeline->arena, pipeline->laid_out, pipeline->vars, pipeline->diags);
    else
        return STATUS_OK;
    lowering.pipeline = pipeline;
    if (from && section == from->section && !resume(&lowering, &trees))
        return failure(&lowering, section);
    for (int k = 0, end; k < n && !pipeline->ended; k = end) {
        end = alike(k);
        if (row[k].section != section || (from && from >= &row[end]))
            continue;
        const bool first = from && from >= &row[k];
        run_alike(&lowering, first ? (int)(from - row) + 1 : k, end, first ? &trees : NULL);
        if (!pipeline->tree)
            return failure(&lowering, section);
    }
    return STATUS_OK;
}
