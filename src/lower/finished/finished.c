#include "lower/finished/finished.h"

#include "lower/prove/replay_tree.h"
#include "poly/context.h"

/* Operations of isl for one comparison, and places that are looked at where something may be wrong. */
enum { MOST_OPERATIONS = 200000, MOST_PLACES = 4 };

/* Parameters at which something may be wrong. */
struct places {
    const int64_t *param[MOST_PLACES];
    int n;
};

static void add_place(struct places *places, int n_param, const int64_t *param)
{
    for (int k = 0; k < places->n && param; k++)
        if (memcmp(places->param[k], param, (size_t)n_param * sizeof(*param)) == 0)
            return;
    if (param && places->n < MOST_PLACES)
        places->param[places->n++] = param;
}

/* What is not proved may still be right: other places of the tree may run what one does not. It is tried at the
 * parameters where the proof found a difference. */
static enum status look_there(struct arena *arena, const struct finished_tree *finished,
                              const struct finished_proof *proof, struct diags *diags)
{
    const struct program *program = finished->program;
    struct places places = {{NULL}, 0};
    enum status status = STATUS_OK;

    for (int k = 0; k < program->n_statement; k++) {
        add_place(&places, program->n_param, proof[k].runs->open ? proof[k].runs->param : NULL);
        add_place(&places, program->n_param, proof[k].elements->param);
    }
    for (int k = 0; k < places.n && status == STATUS_OK; k++)
        status = replay_finished_at(arena, program, finished->laid_out, finished->proved, finished->tree,
                                    finished->vars->param, places.param[k], diags);
    return status;
}

enum status finished_prove(struct arena *arena, const struct finished_tree *finished, struct diags *diags,
                           const struct finished_proof **proved)
{
    const struct program *program = finished->program;
    struct same_sets sets = {.arena = arena,
                             .program = program,
                             .param_var = finished->vars->param,
                             .param_least = finished->param_least};
    struct subscripts subscripts = subscripts_of(arena, program, finished->laid_out);
    struct finished_proof *proof = ARENA_ARRAY(arena, program->n_statement + 1, struct finished_proof);
    const unsigned long most = isl_ctx_get_max_operations(program->ctx);
    const struct same_result *runs;
    const struct element_result *elements;
    const struct source_result *from;

    isl_ctx_set_max_operations(program->ctx, MOST_OPERATIONS);
    runs = same_runs(&sets, finished->vars->all.n, finished->proved, finished->tree);
    elements = same_elements(&sets, &subscripts, finished->vars->all.n, finished->tree);
    from = sources(&sets, finished->scheduled, finished->vars->all.n, finished->tree);
    isl_ctx_set_max_operations(program->ctx, most);
    poly_begin(program->ctx);
    for (int k = 0; k < program->n_statement; k++)
        proof[k] = (struct finished_proof){&runs[k], &elements[k], &from[k]};
    *proved = proof;
    return look_there(arena, finished, proof, diags);
}

static void add_why(struct text *out, const char *why)
{
    text_addf(out, " (%s)", why ? why : "sets that are not decided");
}

static void add_sources(struct text *out, const struct source_result *sources)
{
    if (sources->n == 0)
        return;
    text_addf(out, "; %d of %d values at all sizes", sources->shown, sources->n);
    if (sources->shown < sources->n)
        add_why(out, sources->why);
}

void finished_dump(struct text *out, const struct program *program, const struct finished_proof *proof)
{
    for (int k = 0; k < program->n_statement; k++) {
        const struct same_result *runs = proof[k].runs;
        const struct element_result *elements = proof[k].elements;
        if (program->statement[k]->barrier)
            continue;
        text_addf(out, "%s: instances at %s sizes", program->statement[k]->label, runs->open ? "sampled" : "all");
        if (runs->open)
            add_why(out, runs->why);
        text_addf(out, "; %d of %d elements at all sizes", elements->shown, elements->n);
        if (elements->shown < elements->n)
            add_why(out, elements->why);
        add_sources(out, proof[k].sources);
        text_add(out, "\n");
    }
}
