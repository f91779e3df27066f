/* Three steps after each other, systematically: number n of all ways to choose a nest and three of the steps below for
 * its loops. What a step does to a loop must hold for whatever was done to that loop before.
 *
 *     split i by 3 as x0 tail cases;   skew x0 by i factor 2;   reverse i
 */
#include "generate.h"

#include <stdio.h>
#include <string.h>

enum { MAX_CHAIN = 8 };

/* The loops around the first statement, outermost first. */
struct chain {
    char loop[MAX_CHAIN][16];
    int n;
    int n_names;
    struct text schedule, plan;
};

struct shape {
    const char *loops[3];
    int n;
    const char *nests;
};

#define ONE "\"S: c[i] += a[i]\""
#define TWO "\"S: d[i, j] += b[i, j]\""

static const struct shape shapes[] = {
    {{"i"}, 1, "{\"name\": \"n\", \"loops\": [\"i < N\"], \"body\": [" ONE "]}"},
    {{"i", "j"}, 2, "{\"name\": \"n\", \"loops\": [\"i < N\", \"j < M\"], \"body\": [" TWO "]}"},
    {{"i", "j"}, 2, "{\"name\": \"n\", \"loops\": [\"i < N\", \"j <= i\"], \"body\": [" TWO "]}"},
    {{"i", "j", "k"},
     3,
     "{\"name\": \"n\", \"loops\": [\"i < N\", \"j < M\", \"k < N\"], \"body\": [\"S: d[i, j] += b[i, k] * a[k]\"]}"},
    {{"i", "j"},
     2,
     "{\"name\": \"n\", \"loops\": [\"i < N\"], \"body\": [{\"loops\": [\"j < M\"], \"body\": [" TWO
     "]}, \"T: c[i] += a[i]\"]}"},
    {{"i"},
     1,
     "{\"name\": \"n\", \"loops\": [\"i < N\"], \"body\": [" ONE "]},\n"
     "  {\"name\": \"m\", \"loops\": [\"k < M\"], \"body\": [\"T: e[k] += a[k]\"]}"},
    {{"i", "j"},
     2,
     "{\"name\": \"n\", \"loops\": [\"1 <= i < N step 2\", \"0 <= j < M step -2\"], \"body\": [" TWO "]}"},
    {{"i", "j"}, 2, "{\"name\": \"n\", \"loops\": [\"2 <= i < 11\", \"j < 7\"], \"body\": [" TWO "]}"},
};

enum { N_SHAPE = (int)(sizeof(shapes) / sizeof(shapes[0])) };

/* A step about a loop: the outermost (O), or the innermost (I). */
enum where { O, I };

enum what { SPLIT, SKEW, CUT, COLLAPSE, REORDER, ONE_LOOP, FUSE, PLAN, FACTORS };

struct choice {
    enum what what;
    enum where where;
    const char *more;
};

static const struct choice choices[] = {
    {SPLIT, O, "\"by\": 3"},
    {SPLIT, I, "\"by\": 4"},
    {SPLIT, O, "\"by\": 2, \"tail\": \"cases\""},
    {SPLIT, I, "\"by\": 4, \"tail\": \"cases\""},
    {SPLIT, O, "\"by\": 3, \"tail\": \"peel\""},
    {SPLIT, I, "\"by\": 2, \"tail\": \"peel\""},
    {SPLIT, O, "\"by\": 2, \"tail\": \"guard\""},
    {SPLIT, I, "\"by\": 3, \"tail\": \"guard\""},
    {SPLIT, I, "\"by\": 4, \"tail\": \"mask\""},
    {SPLIT, O, "\"by\": 4, \"tail\": \"round_up\""},
    {FACTORS, I, "\"factors\": [-1, 2, 2]"},
    {FACTORS, O, "\"factors\": [-1, 3], \"tail\": \"peel\""},
    {SKEW, O, "\"factor\": 1"},
    {SKEW, I, "\"factor\": 2"},
    {SKEW, I, "\"factor\": -1"},
    {CUT, O, "\"at\": [2]"},
    {CUT, I, "\"at\": [\"N - 1\"]"},
    {ONE_LOOP, O, "\"peel\": \"%s\", \"first\": 1"},
    {ONE_LOOP, I, "\"peel\": \"%s\", \"last\": 1"},
    {ONE_LOOP, O, "\"shift\": \"%s\", \"by\": 3"},
    {ONE_LOOP, I, "\"shift\": \"%s\", \"by\": \"1 - N\""},
    {ONE_LOOP, O, "\"scale\": \"%s\", \"by\": 2"},
    {ONE_LOOP, I, "\"scale\": \"%s\", \"by\": 3"},
    {ONE_LOOP, O, "\"reverse\": \"%s\""},
    {ONE_LOOP, I, "\"reverse\": \"%s\""},
    {ONE_LOOP, O, "\"pad\": \"%s\", \"by\": 2"},
    {ONE_LOOP, I, "\"pad\": \"%s\", \"by\": 1"},
    {COLLAPSE, O, NULL},
    {COLLAPSE, I, NULL},
    {REORDER, O, NULL},
    {REORDER, I, NULL},
    {FUSE, O, NULL},
    {ONE_LOOP, O, "\"fission\": \"%s\", \"after\": \"S\""},
    {PLAN, O, "\"unroll\": \"%s\", \"by\": 2"},
    {PLAN, I, "\"unroll\": \"%s\""},
    {PLAN, I, "\"vectorize\": \"%s\""},
    {PLAN, O, "\"parallelize\": [\"%s\"]"},
};

enum { N_CHOICE = (int)(sizeof(choices) / sizeof(choices[0])) };

static void begin(struct text *steps, const char *body)
{
    text_addf(steps, "%s  {%s", steps->size ? ",\n" : "", body);
}

static void insert(struct chain *chain, int at)
{
    if (chain->n == MAX_CHAIN)
        return;
    memmove(chain->loop[at + 1], chain->loop[at], (size_t)(chain->n - at) * sizeof(chain->loop[0]));
    snprintf(chain->loop[at], sizeof(chain->loop[0]), "x%d", chain->n_names++);
    chain->n++;
}

static void split(struct chain *chain, int at, const struct choice *choice)
{
    insert(chain, at + 1);
    begin(&chain->schedule, "");
    text_addf(&chain->schedule, "\"split\": \"%s\", %s, \"as\": \"%s\"}", chain->loop[at], choice->more,
              chain->loop[at + 1]);
}

/* The outermost part keeps the place. */
static void factors(struct chain *chain, int at, const struct choice *choice)
{
    const int n = strstr(choice->more, "2, 2") ? 3 : 2;
    char old[16];

    memcpy(old, chain->loop[at], sizeof(old));
    snprintf(chain->loop[at], sizeof(chain->loop[0]), "x%d", chain->n_names++);
    for (int k = 1; k < n; k++)
        insert(chain, at + k);
    begin(&chain->schedule, "");
    text_addf(&chain->schedule, "\"split\": \"%s\", %s, \"into\": [", old, choice->more);
    for (int k = 0; k < n; k++)
        text_addf(&chain->schedule, "%s\"%s\"", k ? ", " : "", chain->loop[at + k]);
    text_add(&chain->schedule, "]}");
}

static void skew(struct chain *chain, int at, const struct choice *choice)
{
    begin(&chain->schedule, "");
    text_addf(&chain->schedule, "\"skew\": \"%s\", \"by\": \"%s\", %s}", chain->loop[at],
              chain->loop[at == 0 ? chain->n - 1 : at - 1], choice->more);
}

/* Later steps are about the first piece. */
static void cut(struct chain *chain, int at, const struct choice *choice)
{
    begin(&chain->schedule, "");
    text_addf(&chain->schedule, "\"cut\": \"%s\", %s, \"as\": [\"x%d\", \"x%d\"]}", chain->loop[at], choice->more,
              chain->n_names, chain->n_names + 1);
    snprintf(chain->loop[at], sizeof(chain->loop[0]), "x%d", chain->n_names);
    chain->n_names += 2;
}

static void collapse(struct chain *chain, int at)
{
    if (at == chain->n - 1)
        at--;
    begin(&chain->schedule, "");
    text_addf(&chain->schedule, "\"collapse\": [\"%s\", \"%s\"], \"as\": \"x%d\"}", chain->loop[at],
              chain->loop[at + 1], chain->n_names);
    snprintf(chain->loop[at], sizeof(chain->loop[0]), "x%d", chain->n_names++);
    chain->n--;
    memmove(chain->loop[at + 1], chain->loop[at + 2], (size_t)(chain->n - at - 1) * sizeof(chain->loop[0]));
}

/* All of them turned round, or the innermost one outermost. */
static void reorder(struct chain *chain, enum where where)
{
    struct chain old = *chain;

    begin(&chain->schedule, "\"reorder\": [");
    for (int k = 0; k < chain->n; k++) {
        const int from = where == O ? chain->n - 1 - k : (k + chain->n - 1) % chain->n;
        memcpy(chain->loop[k], old.loop[from], sizeof(old.loop[0]));
        text_addf(&chain->schedule, "%s\"%s\"", k ? ", " : "", chain->loop[k]);
    }
    text_add(&chain->schedule, "]}");
}

static void fuse(struct chain *chain)
{
    begin(&chain->schedule, "\"fuse\": [\"n\", \"m\"]}");
}

static void about_one(struct chain *chain, int at, const struct choice *choice)
{
    const char *name = strstr(choice->more, "%s");
    struct text *steps = choice->what == PLAN ? &chain->plan : &chain->schedule;

    begin(steps, "");
    text_add_n(steps, choice->more, (size_t)(name - choice->more));
    text_addf(steps, "%s%s}", chain->loop[at], name + 2);
}

static void add_step(struct chain *chain, const struct choice *choice)
{
    const int at = choice->where == O ? 0 : chain->n - 1;

    switch (choice->what) {
    case SPLIT:
        split(chain, at, choice);
        break;
    case FACTORS:
        factors(chain, at, choice);
        break;
    case CUT:
        cut(chain, at, choice);
        break;
    case SKEW:
    case COLLAPSE:
    case REORDER:
        if (chain->n < 2)
            break;
        if (choice->what == SKEW)
            skew(chain, at, choice);
        else if (choice->what == COLLAPSE)
            collapse(chain, at);
        else
            reorder(chain, choice->where);
        break;
    case FUSE:
        fuse(chain);
        break;
    case ONE_LOOP:
    case PLAN:
        about_one(chain, at, choice);
        break;
    }
}

void generate_chain(uint64_t number, struct text *out)
{
    enum { N_CHAIN = N_SHAPE * N_CHOICE * N_CHOICE * N_CHOICE, STRIDE = 100003 };
    uint64_t left = number * STRIDE % N_CHAIN; /* neighbours are unlike each other, and all have their turn */
    const struct shape *shape = &shapes[left % N_SHAPE];
    struct chain chain = {.n = shape->n};

    for (int k = 0; k < shape->n; k++)
        snprintf(chain.loop[k], sizeof(chain.loop[0]), "%s", shape->loops[k]);
    left /= N_SHAPE;
    for (int k = 0; k < 3; k++, left /= N_CHOICE)
        add_step(&chain, &choices[left % N_CHOICE]);
    text_addf(
        out,
        "{\"polynest\": 1, \"name\": \"fuzz\", \"params\": [\"N\", \"M\"], \"assume\": [\"N >= 0\", \"M >= 0\"],\n"
        "\"target\": {\"simd\": \"vector\", \"openmp\": true},\n"
        "\"arrays\": [{\"name\": \"a\", \"role\": \"in\", \"type\": \"u32\", \"shape\": [\"N + M + 12\"]},\n"
        "  {\"name\": \"b\", \"role\": \"in\", \"type\": \"u32\", \"shape\": [\"N + 12\", \"N + M + 12\"]},\n"
        "  {\"name\": \"c\", \"role\": \"inout\", \"type\": \"u32\", \"shape\": [\"N\"]},\n"
        "  {\"name\": \"e\", \"role\": \"inout\", \"type\": \"u32\", \"shape\": [\"M\"]},\n"
        "  {\"name\": \"d\", \"role\": \"inout\", \"type\": \"u32\", \"shape\": [\"N + 12\", \"N + M + 12\"]}],\n"
        "\"nests\": [%s],\n\"schedule\": [\n%s],\n\"plan\": [\n%s]}\n",
        shape->nests, text_str(&chain.schedule), text_str(&chain.plan));
    text_free(&chain.schedule);
    text_free(&chain.plan);
}
