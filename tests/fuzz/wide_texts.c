/* Instructions of the description's own: some of the innermost loops of C += A * B, in a random order and tiled at
 * random, are text in C that the description has.
 */
#include "wide.h"

#include <string.h>

enum { N_DIM = 3, MOST = 6 };

/* A loop after the schedule: all of a loop of the nest's, its outer or its inner part. */
struct part {
    char name[24];
    int dim; /* of which loop */
    int by;  /* inner part: so many iterations; 0: as many as there are */
};

struct texts {
    struct loop *loop[N_DIM]; /* i, j, k */
    struct wide_array *array[3];
    int dim[3][2]; /* the loops that array's subscripts are */
    struct part part[MOST];
    int n, first; /* of the parts, outermost first; from `first` on they are the instruction's */
    bool scaled;  /* by a scalar */
    const char *op;
};

static void draw_nest(struct wide *wide, struct texts *texts)
{
    static const int dims[3][2] = {{0, 2}, {2, 1}, {0, 1}};
    static const char *const names[] = {"A", "B", "C"}, *const loops[] = {"i", "j", "k"};
    const struct affine extent[] = {{1, 0, 0},
                                    {0, 1, 0},
                                    {0, chance(wide, 50), chance(wide, 50) ? 3 + pick(wide, 9) : 1}};
    struct wide_nest *nest = nest_add(wide, "mm");
    struct term *value, *factor[2];

    for (int d = 0; d < N_DIM; d++)
        texts->loop[d] = loop_add(wide, loops[d], (struct affine){0}, extent[d]);
    for (int a = 0; a < 3; a++) {
        const bool turned = a < 2 && chance(wide, 25);
        for (int k = 0; k < 2; k++)
            texts->dim[a][k] = dims[a][turned ? 1 - k : k];
        texts->array[a] = array_shaped(wide, names[a], a < 2 ? "in" : "inout", wide->type, extent[texts->dim[a][0]],
                                       extent[texts->dim[a][1]]);
        texts->array[a]->turned = chance(wide, 15);
        texts->array[a]->strided = !texts->array[a]->turned && chance(wide, 15);
        texts->array[a]->gap = texts->array[a]->strided ? pick(wide, 4) : 0;
        texts->array[a]->offset = texts->array[a]->strided ? pick(wide, 3) : 0;
        nest->block.loop[nest->block.n_loop++] = texts->loop[a];
    }
    for (int a = 0; a < 2; a++)
        factor[a] = element(wide, texts->array[a], texts->loop[texts->dim[a][0]], texts->loop[texts->dim[a][1]]);
    texts->scaled = wide->n_scalar > 0 && wide->scalar[0].type == wide->type && chance(wide, 30);
    texts->op = chance(wide, 75) ? "+=" : "-=";
    value = wide_binary(wide, "*", factor[0], texts->scaled ? wide_scalar(wide, 0) : factor[1]);
    statement_add(wide, &nest->block, element(wide, texts->array[2], texts->loop[0], texts->loop[1]), texts->op, value);
    nest_finish(nest);
}

static void split(struct wide *wide, const char *loop, int by, const char *as)
{
    static const char *const tails[] = {"peel", "guard", "cases"};
    struct wide_step *step = step_add(wide, false, "{\"split\": \"%s\", \"by\": %d, \"as\": \"%s\"", loop, by, as);

    if (chance(wide, 30))
        text_addf(&step->text, ", \"tail\": \"%s\"", tails[pick(wide, 3)]);
    text_char(&step->text, '}');
    step->features.has[WIDE_SPLIT] = true;
}

/* Some loops are split, parts go anywhere but inner ones in front of outer ones; the last few are the instruction's. */
static void draw_order(struct wide *wide, struct texts *texts)
{
    static const char *const inner[] = {"ii", "jj", "kk"};
    struct part last[N_DIM];
    int n_last = 0;

    for (int d = 0; d < N_DIM; d++) {
        struct part part = {.dim = d};
        snprintf(part.name, sizeof(part.name), "%s", texts->loop[d]->name);
        if (chance(wide, 60)) {
            const int by = 2 + pick(wide, 6);
            split(wide, part.name, by, inner[d]);
            texts->part[texts->n++] = part;
            part = (struct part){.dim = d, .by = by};
            snprintf(part.name, sizeof(part.name), "%s", inner[d]);
        }
        if (chance(wide, 70))
            last[n_last++] = part;
        else
            texts->part[texts->n++] = part;
    }
    if (n_last == 0)
        last[n_last++] = texts->part[--texts->n];
    texts->first = texts->n;
    for (int k = 0; k < n_last; k++)
        texts->part[texts->n++] = last[k];
    for (int k = texts->n - 1; k > texts->first; k--) {
        const int with = texts->first + pick(wide, k - texts->first + 1);
        const struct part kept = texts->part[k];
        texts->part[k] = texts->part[with];
        texts->part[with] = kept;
    }
}

static void add_reorder(struct wide *wide, const struct texts *texts)
{
    struct text order = {0};

    for (int k = 0; k < texts->n; k++)
        text_addf(&order, "%s\"%s\"", k ? ", " : "", texts->part[k].name);
    step_add(wide, false, "{\"reorder\": [%s]}", text_str(&order))->features.has[WIDE_REORDER] = true;
    text_free(&order);
}

/* The instruction's loop for dimension d; NULL: it has none. */
static const struct part *own_loop(const struct texts *texts, int d)
{
    for (int k = texts->first; k < texts->n; k++)
        if (texts->part[k].dim == d)
            return &texts->part[k];
    return NULL;
}

/* "4", "n_k" */
static void add_end(const struct part *part, struct text *out)
{
    if (part->by)
        text_addf(out, "%d", part->by);
    else
        text_addf(out, "n_%s", part->name);
}

/* "a[ii, 0]", in the text "(@a@)[v_ii * @a0@ + 0]" */
static void add_element(const struct texts *texts, int a, bool in_c, struct text *out)
{
    text_addf(out, in_c ? "(@%c@)[" : "%c[", 'a' + a);
    for (int k = 0; k < 2; k++) {
        const struct part *part = own_loop(texts, texts->dim[a][k]);
        text_add(out, k ? (in_c ? " + " : ", ") : "");
        if (part && in_c)
            text_addf(out, "v_%s * @%c%d@", part->name, 'a' + a, k);
        else
            text_add(out, part ? part->name : "0");
    }
    text_add(out, "]");
}

static void add_statement(const struct texts *texts, bool in_c, struct text *out)
{
    add_element(texts, 2, in_c, out);
    text_addf(out, " %s ", texts->op);
    add_element(texts, 0, in_c, out);
    text_add(out, " * ");
    if (texts->scaled)
        text_add(out, in_c ? "@s@" : "s");
    else
        add_element(texts, 1, in_c, out);
}

/* Numbers of iterations and strides; one along which nothing moves is told by nothing. */
static void add_params(const struct texts *texts, struct text *out)
{
    const char *between = "";

    for (int k = texts->first; k < texts->n; k++)
        if (!texts->part[k].by) {
            text_addf(out, "%s\"n_%s\"", between, texts->part[k].name);
            between = ", ";
        }
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < 2 && (a != 1 || !texts->scaled); k++)
            if (own_loop(texts, texts->dim[a][k])) {
                text_addf(out, "%s\"%c%d\"", between, 'a' + a, k);
                between = ", ";
            }
}

static void add_arrays(const struct wide *wide, const struct texts *texts, struct text *out)
{
    const char *between = "";

    for (int a = 0; a < 3; a++) {
        if (a == 1 && texts->scaled)
            continue;
        text_addf(out, "%s{\"name\": \"%c\", \"role\": \"%s\", \"type\": \"%s\", \"shape\": [", between, 'a' + a,
                  a < 2 ? "in" : "inout", type_name(wide->type));
        for (int k = 0; k < 2; k++) {
            const struct part *part = own_loop(texts, texts->dim[a][k]);
            text_add(out, k ? ", " : "");
            text_add(out, part ? "\"" : "1");
            if (part)
                add_end(part, out);
            text_add(out, part ? "\"" : "");
        }
        text_add(out, "], \"layout\": {\"strides\": [");
        for (int k = 0; k < 2; k++)
            if (own_loop(texts, texts->dim[a][k]))
                text_addf(out, "%s\"%c%d\"", k ? ", " : "", 'a' + a, k);
            else
                text_addf(out, "%s1", k ? ", " : "");
        text_add(out, "]}}");
        between = ",\n    ";
    }
}

/* The loops of the text, which end like those of the nest. */
static void add_loops(const struct texts *texts, struct text *out)
{
    for (int k = texts->first; k < texts->n; k++) {
        const struct part *part = &texts->part[k];
        const char *name = part->name, *around = part->by ? "" : "@";

        text_addf(out, "\"for (int64_t v_%s = 0; v_%s < %s", name, name, around);
        add_end(part, out);
        text_addf(out, "%s; v_%s++)\",\n    ", around, name);
    }
}

/* The instruction, whose text is these loops in C. */
static void describe(struct wide *wide, const struct texts *texts)
{
    struct text *out = &wide->instructions;

    text_add(out, "{\"name\": \"own\", \"params\": [");
    add_params(texts, out);
    text_add(out, "],\n   ");
    if (texts->scaled)
        text_addf(out, "\"scalars\": [{\"name\": \"s\", \"type\": \"%s\"}],\n   ", type_name(wide->type));
    text_add(out, "\"arrays\": [");
    add_arrays(wide, texts, out);
    text_add(out, "],\n   \"nests\": [{\"loops\": [");
    for (int k = texts->first; k < texts->n; k++) {
        text_addf(out, "%s\"%s < ", k > texts->first ? ", " : "", texts->part[k].name);
        add_end(&texts->part[k], out);
        text_char(out, '"');
    }
    text_add(out, "], \"body\": [\"");
    add_statement(texts, false, out);
    text_add(out, "\"]}],\n   \"text\": [");
    add_loops(texts, out);
    text_add(out, "\"");
    add_statement(texts, true, out);
    text_add(out, ";\"]}");
}

static void draw_plan(struct wide *wide, const struct texts *texts)
{
    struct text loops = {0};

    if (chance(wide, 40) && texts->first > 0)
        step_add(wide, true, "{\"cache\": \"%s\", \"inside\": \"%s\"}", texts->array[pick(wide, 3)]->name,
                 texts->part[pick(wide, texts->first)].name)
            ->features.has[WIDE_CACHE] = true;
    for (int k = texts->first; k < texts->n; k++)
        text_addf(&loops, "%s\"%s\"", k > texts->first ? ", " : "", texts->part[k].name);
    step_add(wide, true, "{\"tensorize\": [%s], \"with\": \"own\"}", text_str(&loops))->features.has[WIDE_TEXT] = true;
    text_free(&loops);
    if (wide->openmp && texts->first > 0 && texts->part[0].dim < 2)
        step_add(wide, true, "{\"parallelize\": [\"%s\"]}", texts->part[0].name)->features.has[WIDE_PARALLELIZE] = true;
    if (texts->first > 1 && chance(wide, 20))
        step_add(wide, true, "{\"unroll\": \"%s\", \"by\": 2}", texts->part[texts->first - 1].name)
            ->features.has[WIDE_UNROLL] = true;
}

void wide_texts(struct wide *wide)
{
    static const enum type types[] = {TYPE_F32, TYPE_F64, TYPE_U32, TYPE_U64};
    struct texts texts = {0};

    wide->simd = chance(wide, 70) ? "none" : "avx2";
    wide->openmp = chance(wide, 40);
    wide->type = types[pick(wide, 4)];
    snprintf(wide->param[0], sizeof(wide->param[0]), "N");
    snprintf(wide->param[1], sizeof(wide->param[1]), "M");
    if (chance(wide, 40)) {
        snprintf(wide->scalar[0].name, sizeof(wide->scalar[0].name), "alpha");
        wide->scalar[0].type = wide->type;
        wide->n_scalar = 1;
    }
    draw_nest(wide, &texts);
    draw_order(wide, &texts);
    add_reorder(wide, &texts);
    describe(wide, &texts);
    draw_plan(wide, &texts);
    wide->depth = 3;
    wide->n_sizes = 6;
    for (int k = 0; k < 6; k++) {
        wide->sizes[k][0] = k == 0 ? 0 : 1 + pick(wide, 20);
        wide->sizes[k][1] = k == 1 ? 0 : 1 + pick(wide, 20);
    }
}
