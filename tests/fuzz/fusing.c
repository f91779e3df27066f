/* Random fusions, and what they make of the nests that the later steps name. */
#include "generate.h"

#include <stdio.h>
#include <string.h>

struct fusion {
    struct gen *gen;
    int nest[MAX_NESTS]; /* the operands */
    int n;
    int partial; /* how many loops are fused; -1: all */
    struct gen_nest result;
};

static void choose_operands(struct fusion *fusion)
{
    struct gen *gen = fusion->gen;
    int first;

    fusion->n = gen->n_nest > 2 && chance(gen, 50) ? 3 : 2;
    first = fusion->n == gen->n_nest && chance(gen, 80) ? 0 : pick(gen, gen->n_nest);
    for (int k = 0; k < fusion->n; k++)
        fusion->nest[k] = (first + k) % gen->n_nest;
    if (fusion->n == 2 && fusion->nest[0] > fusion->nest[1] && chance(gen, 70)) {
        const int kept = fusion->nest[0];
        fusion->nest[0] = fusion->nest[1];
        fusion->nest[1] = kept;
    }
}

static const struct gen_nest *operand(const struct fusion *fusion, int k)
{
    return &fusion->gen->nest[fusion->nest[k]];
}

static int largest_rank(const struct fusion *fusion)
{
    int rank = 0;

    for (int k = 0; k < fusion->n; k++)
        rank = operand(fusion, k)->n_chain > rank ? operand(fusion, k)->n_chain : rank;
    return rank;
}

static void append_loop(struct gen_nest *nest, const struct gen_loop *loop)
{
    if (nest->n_loop < MAX_LOOPS)
        nest->loop[nest->n_loop++] = *loop;
}

static void append_fused(struct fusion *fusion, int partial)
{
    for (int d = 0; d < partial; d++)
        for (int k = 0; k < fusion->n; k++)
            if (operand(fusion, k)->n_chain > d) {
                append_loop(&fusion->result, &operand(fusion, k)->loop[d]);
                break;
            }
}

static void append_rest(struct fusion *fusion, int partial)
{
    for (int k = 0; k < fusion->n; k++)
        for (int d = partial; d < operand(fusion, k)->n_chain; d++)
            append_loop(&fusion->result, &operand(fusion, k)->loop[d]);
    fusion->result.n_chain = fusion->result.n_loop;
    for (int k = 0; k < fusion->n; k++)
        for (int d = operand(fusion, k)->n_chain; d < operand(fusion, k)->n_loop; d++)
            append_loop(&fusion->result, &operand(fusion, k)->loop[d]);
}

static void append_statements(struct fusion *fusion)
{
    struct gen_nest *result = &fusion->result;

    result->joined = true;
    result->target = operand(fusion, fusion->n - 1)->target;
    for (int k = 0; k < fusion->n; k++)
        result->reads |= operand(fusion, k)->reads;
    for (int k = 0; k < fusion->n; k++)
        for (int s = 0; s < operand(fusion, k)->n_statement && result->n_statement < MAX_STATEMENTS; s++)
            result->statement[result->n_statement++] = operand(fusion, k)->statement[s];
}

static void combine(struct fusion *fusion, const char *fusing)
{
    const int partial = fusion->partial < 0 ? largest_rank(fusion) : fusion->partial;
    struct gen_loop loop = {.size = {0, 0, fusion->n}};

    snprintf(loop.name, sizeof(loop.name), "%s", fusing);
    memcpy(fusion->result.name, operand(fusion, 0)->name, sizeof(fusion->result.name));
    append_fused(fusion, partial);
    append_loop(&fusion->result, &loop);
    append_rest(fusion, partial);
    append_statements(fusion);
}

/* The result in the first operand's place, without the others. */
static void replace_nests(struct fusion *fusion)
{
    struct gen *gen = fusion->gen;
    int n = 0;

    gen->nest[fusion->nest[0]] = fusion->result;
    for (int k = 0; k < gen->n_nest; k++) {
        bool gone = false;
        for (int other = 1; other < fusion->n; other++)
            gone = gone || fusion->nest[other] == k;
        if (!gone)
            gen->nest[n++] = gen->nest[k];
    }
    gen->n_nest = n;
}

void generate_fuse(struct gen *gen, struct text *out)
{
    struct fusion fusion = {.gen = gen, .partial = -1};
    char fusing[16];

    choose_operands(&fusion);
    snprintf(fusing, sizeof(fusing), "f%d", gen->n_names++);
    text_add(out, "{\"fuse\": [");
    for (int k = 0; k < fusion.n; k++) {
        const struct gen_nest *nest = operand(&fusion, k);
        text_addf(out, "%s\"%s\"", k ? ", " : "", chance(gen, 90) ? nest->name : nest->loop[0].name);
    }
    text_addf(out, "], \"as\": {\"nest\": \"%s\", \"fusing\": \"%s\"}", operand(&fusion, 0)->name, fusing);
    if (chance(gen, 70)) {
        fusion.partial = pick(gen, 3);
        text_addf(out, ", \"partial\": %d", fusion.partial);
    }
    if (chance(gen, 25))
        text_add(out, ", \"align\": \"value\"");
    text_char(out, '}');
    combine(&fusion, fusing);
    replace_nests(&fusion);
}
