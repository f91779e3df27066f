#include "lower/prove/replay_tree.h"

#include "lower/prove/run_tree.h"
#include "lower/prove/run_subscripts.h"
#include "tree/visit.h"

/* Iterations that a look at some parameters may take, also where there are kernels, of which all threads of all blocks
 * run, and where something may be wrong. */
enum { STEPS = 20000, KERNEL_STEPS = 200000, MANY_STEPS = 2000000 };
enum { MOST_FULL = 256 }; /* of a tile, in one dimension */

struct replaying {
    struct arena *arena;
    const struct program *written, *program;
    const struct node *tree;
    const struct var *const *param_var;
    struct diags *diags;
    const struct node *proved;      /* tree is the finished one of this; NULL: it is this one itself */
    struct subscripts *subscripts;  /* of the program's accesses, for the finished tree; else NULL */
    int64_t steps;                  /* of one look */
    struct replay_memo *noting;     /* NULL: nothing is kept */
    const struct replay_memo *memo; /* of the proved tree; NULL: there is none */
};

static void report(const struct replaying *replaying, const struct statement *statement, const int64_t *param,
                   int64_t runs, int64_t wanted)
{
    struct text at = {0};

    for (int k = 0; k < replaying->program->n_param; k++)
        text_addf(&at, "%s%s = %lld", k ? ", " : " at ", replaying->program->param[k].name, (long long)param[k]);
    diag_error(replaying->diags, "internal", statement->place,
               "internal error: the emitted loops run other instances of %s than those that are %s%s: %lld of %lld",
               statement->label, replaying->proved ? "proved" : "written", text_str(&at), (long long)runs,
               (long long)wanted);
    text_free(&at);
}

static struct running start(const struct replaying *replaying, const int64_t *param, struct replayed *result)
{
    struct running running = {.steps = replaying->steps, .result = result};

    for (; running.n < replaying->program->n_param && running.n < RUN_DEEPEST; running.n++) {
        running.var[running.n] = replaying->param_var[running.n];
        running.value[running.n] = param[running.n];
    }
    return running;
}

/* Do both have the same instances? A look that takes too long finds nothing. */
static bool same_at(const struct replaying *replaying, const int64_t *param, int size)
{
    const struct program *program = replaying->program, *written = replaying->written;
    struct replayed *wanted = ARENA_ARRAY(replaying->arena, written->n_statement + 1, struct replayed);
    struct replayed *found = ARENA_ARRAY(replaying->arena, program->n_statement + 1, struct replayed);
    struct running running = start(replaying, param, found);

    if (!replay_program(written, param, STEPS, wanted))
        return true;
    running_run(&running, replaying->tree);
    if (replaying->noting && !running.failed)
        replaying->noting->at[size] = found;
    for (int k = 0; k < written->n_statement && !running.failed; k++) {
        const struct statement *own = written->statement[k];
        const struct statement *now = program_statement(program, own->label);
        const struct replayed *a = &wanted[k], *b = now ? &found[now->index] : NULL;
        if (!now || now->domain != own->domain || (a->n == b->n && a->sum == b->sum))
            continue;
        report(replaying, own, param, b->n, a->n);
        return false;
    }
    return true;
}

/* What the proved tree runs there, of each statement; NULL: that takes too long. size: the number of a sampled size, or
 * -1. */
static const struct replayed *run_proved(const struct replaying *replaying, const int64_t *param, int size)
{
    struct replayed *found = ARENA_ARRAY(replaying->arena, replaying->program->n_statement + 1, struct replayed);
    struct running running = start(replaying, param, found);

    if (size >= 0 && replaying->memo && replaying->memo->at[size])
        return replaying->memo->at[size];
    running_run(&running, replaying->proved);
    return running.failed ? NULL : found;
}

/* The same for the finished tree and the one that it was made of, of all statements. */
static bool still_same_at(const struct replaying *replaying, const int64_t *param, int size)
{
    const struct program *program = replaying->program;
    struct replayed *found = ARENA_ARRAY(replaying->arena, program->n_statement + 1, struct replayed);
    struct running running = start(replaying, param, found);
    const struct replayed *wanted;

    running.untold = ARENA_ARRAY(replaying->arena, program->n_statement + 1, bool);
    running.look = subscripts_look;
    running.user = replaying->subscripts;
    subscripts_at(replaying->subscripts, param);
    running_run(&running, replaying->tree);
    if (replaying->subscripts->wrong) {
        subscripts_report(replaying->subscripts, replaying->diags);
        return false;
    }
    wanted = running.failed ? NULL : run_proved(replaying, param, size);
    for (int k = 0; k < program->n_statement && wanted; k++) {
        const struct statement *own = program->statement[k];
        if (own->barrier || running.untold[k] || (wanted[k].n == found[k].n && wanted[k].sum == found[k].sum))
            continue;
        report(replaying, own, param, found[k].n, wanted[k].n);
        return false;
    }
    return true;
}

static bool is_allowed(const struct program *program, const int64_t *param)
{
    isl_set *set = isl_set_copy(program->context);
    bool allowed;

    for (int k = 0; k < program->n_param; k++) {
        const int at = isl_set_find_dim_by_name(set, isl_dim_param, program->param[k].name);
        if (at >= 0)
            set = isl_set_fix_si(set, isl_dim_param, (unsigned)at, (int)param[k]);
    }
    allowed = isl_set_is_empty(set) == isl_bool_false;
    isl_set_free(set);
    return allowed;
}

/* Parameter k is first + k * step, modulo 24. */
static bool same_from(const struct replaying *replaying, int64_t first, int64_t step, int size)
{
    const struct program *program = replaying->program;
    int64_t *param = ARENA_ARRAY(replaying->arena, program->n_param + 1, int64_t);

    for (int k = 0; k < program->n_param; k++)
        param[k] = (first + k * step) % 24;
    if (!is_allowed(program, param))
        return true;
    return replaying->proved ? still_same_at(replaying, param, size) : same_at(replaying, param, size);
}

static enum status replay(const struct replaying *replaying)
{
    static const int64_t first[REPLAY_SIZES][2] = {{1, 0}, {5, 2}, {8, 0}, {13, 3}, {16, 8}};
    const int n = replaying->program->n_param > 0 ? REPLAY_SIZES : 1;

    for (int k = 0; k < n; k++)
        if (!same_from(replaying, first[k][0], first[k][1], k))
            return STATUS_ENVIRONMENT;
    return STATUS_OK;
}

enum status replay_tree(struct arena *arena, const struct program *written, const struct program *program,
                        const struct node *tree, const struct var *const *param_var, struct diags *diags,
                        struct replay_memo *memo)
{
    return replay(&(struct replaying){arena, written, program, tree, param_var, diags, NULL, NULL, STEPS, memo, NULL});
}

/* What all tiles in registers are full at, and more: sizes beyond the samples. */
struct full {
    const struct var *const *param_var;
    int n_param;
    int64_t *param;
    bool tiles;
};

/* The least numbers of the parameters at which a condition may hold. */
static void note_full(const struct node *node, void *user)
{
    struct full *full = user;

    full->tiles |= node->tile != NULL;
    for (int k = 0; k < node->n_alternative; k++)
        for (int c = 0; c < node->alternative[k].n; c++) {
            const struct affine *affine = node->alternative[k].condition[c].affine;
            for (int p = 0; p < full->n_param; p++)
                if (affine_factor(affine, full->param_var[p]) == 1 && -affine->constant > full->param[p] &&
                    -affine->constant <= MOST_FULL)
                    full->param[p] = -affine->constant;
        }
}

/* Tiles are not full at the samples: one look where they are, and some elements are left over. */
static bool same_in_tiles(const struct replaying *replaying)
{
    const struct program *program = replaying->program;
    int64_t *param = ARENA_ARRAY(replaying->arena, program->n_param + 1, int64_t);
    struct full full = {replaying->param_var, program->n_param,
                        ARENA_ARRAY(replaying->arena, program->n_param + 1, int64_t), false};
    struct replaying longer = *replaying;

    node_for_each(replaying->tree, note_full, &full);
    longer.steps = MANY_STEPS;
    for (int64_t more = 3; more < 16 && full.tiles; more++) {
        for (int k = 0; k < program->n_param; k++)
            param[k] = full.param[k] + more;
        if (is_allowed(program, param))
            return still_same_at(&longer, param, -1);
    }
    return true;
}

static bool has_kernel(const struct node *node)
{
    bool found = node->kind == NODE_KERNEL;

    for (int k = 0; k < node->n_child && !found; k++)
        found = has_kernel(node->child[k]);
    return found;
}

enum status replay_finished(struct arena *arena, const struct program *program, const struct program *laid_out,
                            const struct node *proved, const struct node *tree, const struct var *const *param_var,
                            const struct replay_memo *memo, struct diags *diags)
{
    struct subscripts subscripts = subscripts_of(arena, program, laid_out);
    const int64_t steps = has_kernel(tree) ? KERNEL_STEPS : STEPS;
    const struct replaying replaying = {arena,  NULL,        program, tree, param_var, diags,
                                        proved, &subscripts, steps,   NULL, memo};
    const struct arena_mark mark = arena_mark(arena);
    const bool same = replay(&replaying) == STATUS_OK && same_in_tiles(&replaying);

    if (same)
        arena_rewind(arena, mark);
    return same ? STATUS_OK : STATUS_ENVIRONMENT;
}

enum status replay_finished_at(struct arena *arena, const struct program *program, const struct program *laid_out,
                               const struct node *proved, const struct node *tree, const struct var *const *param_var,
                               const int64_t *param, struct diags *diags)
{
    struct subscripts subscripts = subscripts_of(arena, program, laid_out);
    const struct replaying replaying = {arena,  NULL,        program,    tree, param_var, diags,
                                        proved, &subscripts, MANY_STEPS, NULL, NULL};

    return still_same_at(&replaying, param, -1) ? STATUS_OK : STATUS_ENVIRONMENT;
}
