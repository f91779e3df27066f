/* Random placements: steps that move a computation, give it other storage or divide it. */
#include "generate.h"

#include <stdio.h>
#include <string.h>

static bool is_temporary(const struct gen *gen, int array)
{
    return !strcmp(gen->array[array].role, "temp");
}

/* A nest that reads what another one computes; false when there is none. */
static bool choose_pair(struct gen *gen, int *producer, int *reader)
{
    for (int tries = 0; tries < 20; tries++) {
        *producer = pick(gen, gen->n_nest);
        *reader = pick(gen, gen->n_nest);
        if (*producer != *reader && (gen->nest[*reader].reads & (1u << gen->nest[*producer].target)))
            return true;
    }
    return false;
}

static void remove_nest(struct gen *gen, int nest)
{
    memmove(&gen->nest[nest], &gen->nest[nest + 1], (size_t)(gen->n_nest - nest - 1) * sizeof(gen->nest[0]));
    gen->n_nest--;
}

/* The reader has the producer's statements and reads from now on. */
static void join(struct gen *gen, int gone, int into)
{
    struct gen_nest *nest = &gen->nest[into];

    nest->joined = true;
    nest->reads |= gen->nest[gone].reads;
    for (int s = 0; s < gen->nest[gone].n_statement && nest->n_statement < MAX_STATEMENTS; s++)
        nest->statement[nest->n_statement++] = gen->nest[gone].statement[s];
    remove_nest(gen, gone);
}

static const char *some_loop(struct gen *gen, const struct gen_nest *nest)
{
    return nest->loop[pick(gen, chance(gen, 80) && nest->n_chain > 0 ? nest->n_chain : nest->n_loop)].name;
}

/* Two nests whose outermost loops are the same, as simple_compute_at wants them; false when there are none. */
static bool choose_alike(struct gen *gen, int *moved, int *into)
{
    for (int tries = 0; tries < 20; tries++) {
        *moved = pick(gen, gen->n_nest);
        *into = pick(gen, gen->n_nest);
        if (*moved < *into && gen->nest[*moved].less == gen->nest[*into].less && gen->nest[*moved].n_chain > 0 &&
            gen->nest[*into].n_chain > 0 && gen->nest[*moved].target != gen->nest[*into].target)
            return true;
    }
    return false;
}

static void place_simply(struct gen *gen, struct text *out)
{
    int moved, into;

    if (!choose_alike(gen, &moved, &into)) {
        generate_order_step(gen, out);
        return;
    }
    text_addf(out, "{\"simple_compute_at\": \"%s\", \"loop\": \"%s\"}", gen->array[gen->nest[moved].target].name,
              gen->nest[into].loop[chance(gen, 80) ? 0 : pick(gen, gen->nest[into].n_loop)].name);
    join(gen, moved, into);
}

static void place(struct gen *gen, struct text *out)
{
    static const char *const steps[] = {"compute_at", "compute_at", "inline", "reverse_compute_at"};
    const char *step = steps[pick(gen, 4)];
    int producer, reader;
    const bool any = choose_pair(gen, &producer, &reader);

    if (!any || (gen->nest[producer].update[0] && step[0] == 'i' && chance(gen, 90)) ||
        (gen->nest[reader].update[0] && step[0] == 'r' && chance(gen, 90))) {
        generate_order_step(gen, out);
        return;
    }
    if (!strcmp(step, "inline")) {
        text_addf(out, "{\"inline\": \"%s\"}", gen->array[gen->nest[producer].target].name);
    } else {
        const bool backwards = !strcmp(step, "reverse_compute_at");
        const int moved = backwards ? reader : producer, into = backwards ? producer : reader;
        text_addf(out, "{\"%s\": \"%s\", \"loop\": \"%s\"", step, gen->array[gen->nest[moved].target].name,
                  some_loop(gen, &gen->nest[into]));
        if (!backwards && chance(gen, 40))
            text_addf(out, ", \"store_at\": \"%s\"", chance(gen, 60) ? "root" : gen->nest[into].loop[0].name);
        text_add(out, "}");
        if (backwards) {
            join(gen, reader, producer);
            return;
        }
    }
    join(gen, producer, reader);
}

/* The nest with a temporary for one value, or with one that is used as such. */
static void expand(struct gen *gen, struct text *out)
{
    for (int k = 0; k < gen->n_nest; k++) {
        const struct gen_nest *nest = &gen->nest[k];
        const int array = nest->scalar ? nest->scalar : nest->target;
        if (!is_temporary(gen, array) || (!nest->scalar && chance(gen, 70)))
            continue;
        text_addf(out, "{\"expand\": \"%s\", \"over\": [\"%s\"", gen->array[array].name, nest->loop[0].name);
        if (nest->n_loop > 1 && chance(gen, 50))
            text_addf(out, ", \"%s\"", nest->loop[1].name);
        text_add(out, "]}");
        return;
    }
    generate_order_step(gen, out);
}

static void reduce(struct gen *gen, struct text *out)
{
    for (int k = 0; k < gen->n_nest; k++) {
        const struct gen_nest *nest = &gen->nest[k];
        const bool grouped = gen->type[0] != 'f' || gen->extremes;
        if (!nest->update[0] || (!grouped && !nest->initialises && chance(gen, 80)))
            continue;
        if (!nest->initialises || chance(gen, grouped ? 60 : 15))
            text_addf(out, "{\"rfactor\": \"%s\", \"of\": \"%s\", \"axis\": %d}", nest->loop[nest->n_loop - 1].name,
                      nest->update, pick(gen, 1 + gen->array[nest->target].rank));
        else
            text_addf(out, "{\"decompose_init\": \"%s\", \"at\": \"%s\"}", nest->update,
                      chance(gen, 80) ? nest->loop[0].name : some_loop(gen, nest));
        return;
    }
    generate_order_step(gen, out);
}

static void fission(struct gen *gen, struct text *out)
{
    const struct gen_nest *nest = &gen->nest[pick(gen, gen->n_nest)];

    for (int k = 0; k < gen->n_nest && (nest->n_statement < 2 || nest->joined); k++)
        nest = &gen->nest[k];
    if (nest->n_statement < 2 || nest->joined) {
        generate_order_step(gen, out);
        return;
    }
    if (nest->scalar && chance(gen, 80))
        text_addf(out, "{\"expand\": \"%s\", \"over\": [\"%s\"]},\n  ", gen->array[nest->scalar].name,
                  nest->loop[0].name);
    text_addf(out, "{\"fission\": \"%s\", \"after\": \"%s\"}",
              chance(gen, 80) ? nest->loop[0].name : some_loop(gen, nest), nest->statement[0].label);
}

void generate_placing(struct gen *gen, struct text *out)
{
    const int which = pick(gen, 100);

    if (which < 45)
        place(gen, out);
    else if (which < 60)
        place_simply(gen, out);
    else if (which < 72)
        expand(gen, out);
    else if (which < 90)
        reduce(gen, out);
    else
        fission(gen, out);
}
