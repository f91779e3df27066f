/* Random reductions on a device: by threads of a block along one or two axes, however many these are, and by blocks
 * that share elements. */
#include "generate.h"

#include <string.h>

/* What is drawn of a reduction s[..] op= x[i, k, j]: i in blocks, k and j in threads. */
struct sum {
    const char *type, *op;
    int threads;      /* along x; 0: M */
    int others;       /* along y; 0: no loop */
    bool swapped;     /* is j outside of k? */
    int rows;         /* rows that a block has side by side; 0: one */
    int split;        /* iterations of j go round, so many at once; 0: all are at once */
    bool factored;    /* and each thread has a result of them before it is joined with others */
    bool columns;     /* each thread along x has an element of its own */
    bool one;         /* one element for all, */
    bool scattered;   /* or the one that an index array tells, else a row's */
    bool starts;      /* that is set first */
    const char *only; /* where there are instances, or NULL */
};

static bool is_float(const char *type)
{
    return type[0] == 'f' || type[0] == 'b';
}

static const char *random_operator(struct gen *gen, const char *type)
{
    static const char *const all[] = {"max=", "min=", "+=", "-=", "&=", "|=", "^=", "*="};

    if (strstr(type, "f16"))
        return all[pick(gen, 2)];
    return all[pick(gen, is_float(type) ? 4 : type[0] == 'i' ? 7 : 8)];
}

static struct sum choose(struct gen *gen)
{
    static const char *const types[] = {"f32", "f64", "f16", "bf16", "i32", "u32",
                                        "i64", "u64", "i16", "u16",  "i8",  "u8"};
    static const char *const conditions[] = {"j < N + 20", "2 * j >= i", "j % 3 != 1", "i + j > 5"};
    static const int threads[] = {100, 33, 7, 64, 32, 20, 65, 0, 0, 0}, splits[] = {40, 32, 7, 96};
    struct sum sum = {.type = types[pick(gen, 12)]};

    sum.op = random_operator(gen, sum.type);
    sum.threads = threads[pick(gen, 10)];
    sum.others = chance(gen, 30) ? 2 + pick(gen, 4) : 0;
    sum.swapped = chance(gen, 50);
    sum.rows = chance(gen, 25) ? 2 + pick(gen, 2) : 0;
    if (128 * sum.others * sum.rows > 1024)
        sum.rows = 0;
    sum.split = chance(gen, 30) ? splits[pick(gen, 4)] : 0;
    sum.columns = sum.others && chance(gen, 40);
    sum.one = !sum.columns && chance(gen, 25);
    sum.scattered = !sum.one && !sum.columns && chance(gen, 15);
    sum.factored = sum.split && !sum.others && !sum.rows && !sum.one && !sum.scattered && chance(gen, 60);
    sum.starts = !sum.one && !sum.columns && !sum.scattered && !sum.factored && chance(gen, 30);
    sum.only = chance(gen, 30) ? conditions[pick(gen, 4)] : NULL;
    return sum;
}

static void write_arrays(const struct sum *sum, struct text *out)
{
    text_addf(
        out,
        "\"arrays\": [{\"name\": \"x\", \"role\": \"in\", \"type\": \"%s\", \"shape\": [\"N\", 6, \"M + 100\"]},\n",
        sum->type);
    if (sum->scattered)
        text_add(
            out,
            "  {\"name\": \"p\", \"role\": \"in\", \"type\": \"i32\", \"shape\": [\"N\", \"M + 100\"], \"values\": "
            "\"0 <= p < 5\"},\n");
    text_addf(out, "  {\"name\": \"s\", \"role\": \"%s\", \"type\": \"%s\", \"shape\": [%s]}],\n",
              sum->starts ? "out" : "inout", sum->type,
              sum->one         ? ""
              : sum->scattered ? "5"
              : sum->columns   ? "\"N\", \"M + 100\""
                               : "\"N\"");
}

static void write_loops(const struct sum *sum, struct text *out)
{
    struct text j = {0}, k = {0};

    text_addf(&j, sum->threads ? "\"j < %d\"" : "\"j < M\"", sum->threads);
    if (sum->others)
        text_addf(&k, "\"k < %d\"", sum->others);
    if (sum->others)
        text_addf(out, "%s, %s", text_str(sum->swapped ? &j : &k), text_str(sum->swapped ? &k : &j));
    else
        text_add(out, text_str(&j));
    text_free(&j);
    text_free(&k);
}

static void write_nest(const struct sum *sum, struct text *out)
{
    text_add(out, "\"nests\": [{\"name\": \"sum\", \"loops\": [\"i < N\"");
    if (sum->starts)
        text_add(out, "], \"body\": [\"I: s[i] = 1\", {\"loops\": [");
    else
        text_add(out, ", ");
    write_loops(sum, out);
    text_add(out, "], ");
    if (sum->only)
        text_addf(out, "\"if\": \"%s\", ", sum->only);
    text_addf(out, "\"body\": [\"S: s%s %s x[i, %s, j]\"]}%s],\n",
              sum->one         ? ""
              : sum->scattered ? "[p[i, j]]"
              : sum->columns   ? "[i, j]"
                               : "[i]",
              sum->op, sum->others ? "k" : "0", sum->starts ? "]}" : "");
}

static void write_schedule(const struct sum *sum, struct text *out)
{
    text_add(out, "\"schedule\": [");
    if (sum->rows)
        text_addf(out, "{\"split\": \"i\", \"by\": %d}%s", sum->rows, sum->split ? ", " : "");
    if (sum->split)
        text_addf(out, "{\"split\": \"j\", \"by\": %d}", sum->split);
    if (sum->factored)
        text_add(out, ", {\"rfactor\": \"jj\", \"of\": \"S\", \"axis\": 1, \"as\": \"part\"}, {\"fuse\": [\"S_rf.i\", "
                      "\"S.i\"], \"partial\": 1}");
    text_add(out, "],\n");
}

static void write_plan(const struct sum *sum, bool bound, struct text *out)
{
    text_add(out, "\"plan\": [");
    if (bound) {
        text_add(out, "{\"bind\": {\"i\": \"block.x\"");
        if (sum->rows)
            text_add(out, ", \"ii\": \"thread.z\"");
        if (sum->others)
            text_add(out, ", \"k\": \"thread.y\"");
        text_addf(out, "%s}}",
                  sum->factored ? ", \"part_jj\": \"thread.x\", \"S.jj\": \"thread.x\""
                  : sum->split  ? ", \"jj\": \"thread.x\""
                                : ", \"j\": \"thread.x\"");
    }
    text_add(out, "],\n\"target\": {\"language\": \"cuda\"}}\n");
}

/* Is there an update of the type in one go, for a number of threads that is known? */
static bool is_there(const struct sum *sum)
{
    return (!sum->only || (sum->threads && !sum->one)) && !strstr(sum->type, "8") &&
           !(strstr(sum->type, "16") && sum->op[0] == '*');
}

void generate_sum(struct gen *gen, unsigned chosen, struct text *out)
{
    const struct sum sum = choose(gen);

    if (is_there(&sum))
        text_add(out, GENERATE_PLAIN);
    text_add(out,
             "{\"polynest\": 1, \"name\": \"fuzz\", \"params\": [\"N\", \"M\"], \"assume\": [\"N >= 0\", \"M >= 0\"], "
             "\"permit\": [\"reassociate\"],\n");
    write_arrays(&sum, out);
    write_nest(&sum, out);
    write_schedule(&sum, out);
    write_plan(&sum, chosen & 1u, out);
}
