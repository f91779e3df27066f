/* Random plans: loops unrolled, in vectors and in threads, with caches among them, for a random target. */
#include "generate.h"

static const char *any_loop(struct gen *gen)
{
    const struct gen_nest *nest = &gen->nest[pick(gen, gen->n_nest)];

    return nest->loop[pick(gen, nest->n_loop)].name;
}

static const char *inner_loop(struct gen *gen)
{
    const struct gen_nest *nest = &gen->nest[pick(gen, gen->n_nest)];

    return nest->loop[chance(gen, 60) ? nest->n_loop - 1 : pick(gen, nest->n_loop)].name;
}

static void write_unroll(struct gen *gen, struct text *out)
{
    text_addf(out, "{\"unroll\": \"%s\"", any_loop(gen));
    if (chance(gen, 60))
        text_addf(out, ", \"by\": %d", 2 + pick(gen, 4));
    if (chance(gen, 25))
        text_addf(out, ", \"%s\": true", chance(gen, 60) ? "jam" : "hint");
    text_add(out, "}");
}

static void write_vectorize(struct gen *gen, struct text *out)
{
    static const int lanes[] = {2, 4, 8, 16, 32, 3};

    text_addf(out, "{\"vectorize\": \"%s\"", inner_loop(gen));
    if (chance(gen, 50))
        text_addf(out, ", \"lanes\": %d", lanes[pick(gen, 6)]);
    text_add(out, "}");
}

static void write_parallelize(struct gen *gen, struct text *out)
{
    static const char *const more[] = {"", "", ", \"policy\": \"dynamic\", \"chunk\": 2", ", \"threads\": 3"};
    const struct gen_nest *nest = &gen->nest[pick(gen, gen->n_nest)];
    const int at = pick(gen, nest->n_loop);

    text_addf(out, "{\"parallelize\": [\"%s\"", nest->loop[at].name);
    if (at + 1 < nest->n_loop && chance(gen, 30))
        text_addf(out, ", \"%s\"]%s", nest->loop[at + 1].name, chance(gen, 50) ? ", \"doacross\": true" : "");
    else
        text_add(out, "]");
    text_addf(out, "%s}", more[pick(gen, 4)]);
}

static void write_kernelize(struct gen *gen, struct text *out)
{
    const struct gen_nest *nest = &gen->nest[pick(gen, gen->n_nest)];
    const int at = pick(gen, nest->n_loop);

    text_addf(out, "{\"kernelize\": {\"unroll\": [\"%s\"], \"vectorize\": \"%s\"}}", nest->loop[at].name,
              nest->loop[at + 1 < nest->n_loop ? at + 1 : 0].name);
}

static void write_plan(struct gen *gen, int number, struct text *out)
{
    const int which = pick(gen, 100);

    if (which < 45)
        write_vectorize(gen, out);
    else if (which < 60)
        write_unroll(gen, out);
    else if (which < 72)
        write_parallelize(gen, out);
    else if (which < 82)
        write_kernelize(gen, out);
    else
        generate_cache(gen, number, out);
}

void generate_plans(struct gen *gen, unsigned chosen, struct text *out)
{
    static const char *const simds[] = {"avx512", "avx512", "avx2", "avx2", "sse4.2", "vector", "omp"};
    bool any = false;

    text_add(out, ",\n\"plan\": [");
    for (int k = 0; k < MAX_CACHES; k++) {
        struct text one = {0};
        write_plan(gen, k, &one);
        if (chosen & (1u << k))
            text_addf(out, "%s\n  %s", any ? "," : "", text_str(&one));
        any = any || (chosen & (1u << k));
        text_free(&one);
    }
    text_addf(out, "\n],\n\"target\": {\"simd\": \"%s\", \"openmp\": true}", simds[pick(gen, 7)]);
}

void generate_loop_plan(struct gen *gen, struct text *out)
{
    if (chance(gen, 50))
        text_addf(out, ",\n\"plan\": [{\"vectorize\": \"%s\"}]", any_loop(gen));
    else
        text_addf(out, ",\n\"plan\": [{\"parallelize\": [\"%s\"]}]", any_loop(gen));
    text_add(out, ",\n\"target\": {\"simd\": \"omp\", \"openmp\": true}");
}
