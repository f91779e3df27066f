/* Random matrix products for instructions that sum up groups of products: in lanes, and in tiles. */
#include "generate.h"

/* What is drawn of a product C[i, j] += A[i, k] * B[k, j]. */
struct product {
    bool tiles, bf16;
    const char *type[3];         /* of A, B and C */
    int group;                   /* products that are summed up at once */
    int rows, columns, groups;   /* of a tile; rows 1 and groups 1: in lanes */
    int across, down;            /* tiles of sums side by side, and below each other */
    int strip;                   /* longer pieces of k; 0: none */
    bool zeros, swapped, turned; /* sums start at zero; B * A; A is [k, i] */
    bool by_columns;             /* j is the outermost loop */
    int layout;                  /* of B: 0 that of the groups, 1 rows, 2 others */
    const char *tail;
};

static void choose_types(struct gen *gen, struct product *product)
{
    static const char *const bytes[] = {"u8", "i8"};

    product->bf16 = chance(gen, 30);
    product->group = product->bf16 ? 2 : 4;
    product->type[0] = product->bf16 ? "bf16" : bytes[chance(gen, product->tiles ? 50 : 15)];
    product->type[1] = product->bf16 ? "bf16" : bytes[chance(gen, product->tiles ? 50 : 85)];
    product->type[2] = product->bf16 ? "f32" : "i32";
}

static void choose_sizes(struct gen *gen, struct product *product)
{
    static const int rows[] = {16, 16, 16, 8, 5, 4, 2}, columns[] = {16, 16, 16, 8, 4, 3, 2};
    static const int groups[] = {16, 16, 8, 4, 3, 2}, lanes[] = {16, 16, 16, 16, 8, 4, 32, 3};

    product->rows = product->tiles ? rows[pick(gen, 7)] : 1;
    product->columns = product->tiles ? columns[pick(gen, 7)] : lanes[pick(gen, 8)];
    product->groups = product->tiles ? groups[pick(gen, 6)] : 1;
    product->down = 1 + pick(gen, 3);
    product->across = 1 + pick(gen, product->down == 3 && chance(gen, 90) ? 2 : 3);
    product->strip = chance(gen, 40) ? 1 + pick(gen, 3) : 0;
}

static struct product choose(struct gen *gen)
{
    static const char *const tails[] = {"guard", "peel", "cases", "mask", "round_up"};
    struct product product = {.tiles = chance(gen, 65)};

    choose_types(gen, &product);
    choose_sizes(gen, &product);
    product.zeros = chance(gen, 15);
    product.by_columns = chance(gen, 50);
    product.swapped = chance(gen, 20);
    product.turned = chance(gen, 8);
    product.layout = chance(gen, 70) ? 0 : 1 + pick(gen, 2);
    product.tail = chance(gen, 15) ? tails[pick(gen, 5)] : NULL;
    return product;
}

static void write_arrays(struct gen *gen, const struct product *product, const char *sum, struct text *out)
{
    text_addf(out,
              "\"arrays\": [\n  {\"name\": \"A\", \"role\": \"in\", \"type\": \"%s\", \"shape\": [\"%s\", \"%s\"]},\n",
              product->type[0], product->turned ? sum : "N", product->turned ? "N" : sum);
    text_addf(out, "  {\"name\": \"B\", \"role\": \"in\", \"type\": \"%s\", \"shape\": [\"%s\", \"M\"]",
              product->type[1], sum);
    if (product->layout == 0)
        text_addf(out, ", \"layout\": {\"order\": [1, 0], \"block\": {\"1\": %d, \"0\": %d}}",
                  product->columns * (chance(gen, 20) ? product->across : 1), product->group);
    else if (product->layout == 2)
        text_addf(out, ", \"layout\": {\"order\": [%s], \"block\": {\"%d\": %d}}", chance(gen, 50) ? "1, 0" : "0, 1",
                  pick(gen, 2), 2 << pick(gen, 4));
    text_addf(out, "},\n  {\"name\": \"C\", \"role\": \"%s\", \"type\": \"%s\", \"shape\": [\"N\", \"M\"]}\n],\n",
              product->zeros ? "out" : "inout", product->type[2]);
}

static void write_nest(const struct product *product, const char *sum, struct text *out)
{
    const char *a = product->turned ? "A[k, i]" : "A[i, k]";
    const char *left = product->swapped ? "B[k, j]" : a, *right = product->swapped ? a : "B[k, j]";

    text_addf(out, "\"nests\": [{\"name\": \"mm\", \"loops\": [\"i < N\", \"j < M\"%s%s%s], \"body\": [",
              product->zeros ? "" : ", \"k < ", product->zeros ? "" : sum, product->zeros ? "" : "\"");
    if (product->zeros)
        text_addf(out, "\"Z: C[i, j] = 0\", {\"loops\": [\"k < %s\"], \"body\": [", sum);
    text_addf(out, "\"S: C[i, j] += %s * %s\"%s]}],\n", left, right, product->zeros ? "]}" : "");
}

static void write_split(struct text *out, const char *loop, int by, const char *as, const char *tail)
{
    text_addf(out, "  {\"split\": \"%s\", \"by\": %d, \"as\": \"%s\"", loop, by, as);
    text_addf(out, tail ? ", \"tail\": \"%s\"},\n" : "},\n", tail);
}

/* Loops i, j around tiles ii, jj of tiles m, n; k around kk around q. */
static void write_schedule(struct gen *gen, const struct product *product, struct text *out)
{
    const int which = pick(gen, 4), long_strip = product->strip * product->groups * product->group;
    const char *around = product->by_columns ? "\"j\", \"i\", " : "\"i\", \"j\", ";

    text_add(out, "\"schedule\": [\n");
    if (product->tiles)
        write_split(out, "i", product->rows * product->down, "ii", which == 0 ? product->tail : NULL);
    write_split(out, product->tiles ? "ii" : "i", product->tiles ? product->rows : product->down, "m",
                which == 1 ? product->tail : NULL);
    write_split(out, "j", product->columns * product->across, "jj", which == 2 ? product->tail : NULL);
    write_split(out, "jj", product->columns, "n", NULL);
    if (product->strip)
        write_split(out, "k", long_strip, "ks", NULL);
    if (product->tiles)
        write_split(out, product->strip ? "ks" : "k", product->groups * product->group, "kk",
                    which == 3 ? product->tail : NULL);
    write_split(out, product->tiles ? "kk" : product->strip ? "ks" : "k", product->group, "q", NULL);
    if (product->zeros)
        text_addf(out, "  {\"reorder\": [%s%s\"jj\", \"m\", \"n\"]}, {\"fission\": \"%s\", \"after\": \"Z\"},\n",
                  around, product->tiles ? "\"ii\", " : "", product->tiles ? "ii" : "jj");
    if (product->zeros)
        text_addf(out, "  {\"reorder\": [\"S.k\"%s%s, \"S.jj\", \"S.m\", \"S.n\"%s, \"S.q\"]}\n],\n",
                  product->strip ? ", \"S.ks\"" : "", product->tiles ? ", \"S.ii\"" : "",
                  product->tiles ? ", \"S.kk\"" : "");
    else
        text_addf(out, "  {\"reorder\": [%s\"k\", %s%s%s]}\n],\n", around, product->strip ? "\"ks\", " : "",
                  product->tiles ? "\"ii\", \"jj\", \"m\", \"n\"" : "\"m\", \"jj\", \"n\"",
                  product->tiles ? ", \"kk\", \"q\"" : ", \"q\"");
}

/* A copy of a factor, in the order of the instruction or in another one. */
static void write_copy(struct gen *gen, const struct product *product, bool right, struct text *out)
{
    static const char *const at[] = {"i", "j", "k"};
    const char *tile = product->tiles ? "\"kk\", " : "", *strip = product->strip ? "\"ks\", " : "";

    text_addf(out, "{\"cache\": \"%s\", \"at\": \"%s\", \"as\": \"%s\"", right ? "B" : "A", at[pick(gen, 3)],
              right ? "Bp" : "Ap");
    if (right && chance(gen, 85))
        text_addf(out, ", \"layout\": [\"jj\", %s%s\"n\", \"q\"]", strip, tile);
    else if (!right && chance(gen, 50))
        text_addf(out, ", \"layout\": [%s\"m\", %s\"q\"]", strip, tile);
    text_addf(out, "%s}", chance(gen, 30) ? ", \"memory\": \"heap\", \"align\": 64" : "");
}

/* The same step for the loop of the zeros and that of the sums. */
static void write_unroll(const struct product *product, const char *loop, struct text *out)
{
    if (product->zeros)
        text_addf(out, ", {\"unroll\": \"Z.%s\"}, {\"unroll\": \"S.%s\"}", loop, loop);
    else
        text_addf(out, ", {\"unroll\": \"%s\"}", loop);
}

/* The sums in registers, and the instruction. */
static void write_instruction(const struct product *product, struct text *out)
{
    const char *label = product->zeros ? "S." : "";
    const char *sum = product->zeros ? (product->by_columns ? "i" : "j") : product->strip ? "ks" : "k";

    text_addf(out, "{\"cache\": \"C\", \"%s\": \"%s\", \"as\": \"acc\", \"memory\": \"register\"}",
              product->zeros ? "inside" : "at", sum);
    write_unroll(product, product->tiles ? "ii" : "m", out);
    write_unroll(product, "jj", out);
    if (product->tiles)
        text_addf(out, ", {\"tensorize\": [\"%sm\", \"%sn\", \"%skk\", \"%sq\"]}", label, label, label, label);
    else
        text_addf(out, ", {\"vectorize\": \"%sn\"}, {\"tensorize\": [\"%sn\", \"%sq\"]}", label, label, label);
    if (product->zeros)
        text_add(out, product->tiles ? ", {\"tensorize\": [\"Z.m\", \"Z.n\"]}" : ", {\"vectorize\": \"Z.n\"}");
}

static void write_threads(struct gen *gen, struct text *out)
{
    static const char *const loops[] = {"\"i\"", "\"j\"", "\"i\"", "\"Bp.jj\"", "\"k\""};

    text_addf(out, "{\"parallelize\": [%s]}", loops[pick(gen, 5)]);
}

static void write_step(struct gen *gen, const struct product *product, int number, struct text *out)
{
    if (number < 2)
        write_copy(gen, product, number == 0, out);
    else if (number == 2)
        write_instruction(product, out);
    else if (number == 3)
        write_threads(gen, out);
    else
        text_addf(out, "{\"prefetch\": \"%s\", \"at\": \"%s\", \"ahead\": %d}", chance(gen, 50) ? "A" : "B",
                  chance(gen, 50) ? "k" : "j", 1 + pick(gen, 4));
}

/* Is it what everything is there for? */
static bool is_plain(const struct product *product)
{
    const int tiles = product->down * product->across;
    const bool pairs = product->tiles || product->bf16 || product->type[0][0] != product->type[1][0];

    return pairs && !product->zeros && !product->turned && product->layout == 0 && !product->tail &&
           (product->tiles ? tiles <= 6 : product->columns == 16);
}

void generate_product(struct gen *gen, unsigned chosen, struct text *out)
{
    const struct product product = choose(gen);
    const bool symbolic = chance(gen, 25), copies = chance(gen, product.layout > 0 ? 80 : 40);
    struct text sum = {0}, plan = {0};
    bool any = false;

    if (symbolic)
        text_addf(&sum, "%d * M", product.group);
    else
        text_addf(&sum, "%d", product.group * (1 + pick(gen, 40)));
    for (int k = 0; k < MAX_CACHES; k++) {
        struct text one = {0};
        const bool drawn = k == 2 || k == 3 || (k == 4 && chance(gen, 15)) || (k < 2 && copies && chance(gen, 80));
        if (drawn)
            write_step(gen, &product, k, &one);
        if (drawn && (chosen & (1u << k)))
            text_addf(&plan, "%s\n  %s", any ? "," : "", text_str(&one));
        any = any || (drawn && (chosen & (1u << k)));
        text_free(&one);
    }
    if (is_plain(&product) && !copies)
        text_add(out, GENERATE_PLAIN);
    text_add(
        out,
        "{\"polynest\": 1, \"name\": \"fuzz\", \"params\": [\"N\", \"M\"], \"assume\": [\"N >= 0\", \"M >= 0\"],\n");
    if (product.bf16)
        text_add(out, "\"permit\": [\"reassociate\", \"contract\", \"approximate\"],\n");
    write_arrays(gen, &product, text_str(&sum), out);
    write_nest(&product, text_str(&sum), out);
    write_schedule(gen, &product, out);
    text_addf(out, "\"plan\": [%s\n],\n\"target\": {\"simd\": \"%s\", \"openmp\": true}}\n", text_str(&plan),
              product.tiles ? "amx" : "avx512");
    text_free(&sum);
    text_free(&plan);
}
