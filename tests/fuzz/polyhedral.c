/* Random nests in polyhedral form: unions of pieces with quotients, negative bounds, strides and empty sets, orders
 * with ties, quotients and constants, and steps on the loops that the order makes. */
#include "generate.h"

static const char *const iterators[] = {"i", "j", "k"};
static const char *const times[] = {"a", "b", "c", "d", "e"};

enum { MOST_TIMES = 5 };

struct poly_statement {
    char label[4];
    int n; /* dimensions */
};

struct poly_nest {
    struct poly_statement statement[3];
    int n_statement;
    int n_time;
};

/* "S[i, j]" */
static void write_tuple(const struct poly_statement *statement, struct text *out)
{
    text_addf(out, "%s[", statement->label);
    for (int k = 0; k < statement->n; k++)
        text_addf(out, "%s%s", k ? ", " : "", iterators[k]);
    text_add(out, "]");
}

static const char *any_iterator(struct gen *gen, const struct poly_statement *statement)
{
    return iterators[pick(gen, statement->n)];
}

/* "i + 2 * j - 3" */
static void write_sum(struct gen *gen, const struct poly_statement *statement, struct text *out)
{
    static const int factors[] = {1, 1, 1, 2, -1, 3};

    text_addf(out, "%d * %s", factors[pick(gen, 6)], any_iterator(gen, statement));
    if (chance(gen, 50))
        text_addf(out, " + %d * %s", factors[pick(gen, 6)], any_iterator(gen, statement));
    if (chance(gen, 20))
        text_add(out, chance(gen, 50) ? " + N" : " - M");
    if (chance(gen, 60))
        text_addf(out, " + %d", pick(gen, 9) - 4);
}

static void write_condition(struct gen *gen, const struct poly_statement *statement, struct text *out)
{
    static const char *const relation[] = {"=", "<=", ">=", "="};
    const int divisor = 2 + pick(gen, 4);
    struct text sum = {0};

    write_sum(gen, statement, &sum);
    if (chance(gen, 50))
        text_addf(out, "(%s) mod %d %s %d", text_str(&sum), divisor, relation[pick(gen, 4)], pick(gen, divisor));
    else if (chance(gen, 40))
        text_addf(out, "floor((%s)/%d) %s %s + %d", text_str(&sum), divisor,
                  chance(gen, 50) ? "<=" : ">=", any_iterator(gen, statement), pick(gen, 5) - 2);
    else
        text_addf(out, "%s %s %d", text_str(&sum),
                  chance(gen, 15)   ? "="
                  : chance(gen, 50) ? "<="
                                    : ">=",
                  pick(gen, 9) - 2);
    text_free(&sum);
}

static void write_bounds(struct gen *gen, const struct poly_statement *statement, struct text *out)
{
    static const char *const ends[] = {"N", "N", "M", "M", "N + 2", "M - 1", "6", "N"};

    for (int k = 0; k < statement->n; k++)
        text_addf(out, "%s%d <= %s < %s", k ? " and " : "", chance(gen, 60) ? 0 : pick(gen, 6) - 3, iterators[k],
                  ends[pick(gen, 8)]);
}

/* "S[i] : 0 <= i < N and (i mod 4 = 0 or i <= 1)" */
static void write_domain(struct gen *gen, const struct poly_statement *statement, struct text *out)
{
    const int n = chance(gen, 35) ? 2 + pick(gen, 2) : pick(gen, 2);
    const bool whole = chance(gen, 60);

    write_tuple(statement, out);
    text_add(out, " : ");
    for (int k = 0; k < (n && !whole ? n : 1); k++) {
        text_add(out, k ? " or (" : "(");
        write_bounds(gen, statement, out);
        if (!whole && n) {
            text_add(out, " and ");
            write_condition(gen, statement, out);
        }
        text_add(out, ")");
    }
    for (int k = 0; whole && k < n; k++) {
        text_add(out, k ? " or (" : " and ((");
        write_condition(gen, statement, out);
        text_add(out, k == n - 1 ? "))" : ")");
    }
}

static void write_time(struct gen *gen, const struct poly_statement *statement, struct text *out)
{
    const int kind = pick(gen, 10);

    if (kind < 5)
        text_addf(out, "%s%s", chance(gen, 15) ? "-" : "", any_iterator(gen, statement));
    else if (kind < 6)
        text_addf(out, "%d", pick(gen, 3));
    else if (kind < 8)
        write_sum(gen, statement, out);
    else
        text_addf(out, "floor((%s + %d)/%d)", any_iterator(gen, statement), pick(gen, 4), 2 + pick(gen, 3));
}

/* Mostly all iterators are at the end, so that instances have times of their own. */
static void write_order(struct gen *gen, const struct poly_nest *nest, int n_first, struct text *out)
{
    const bool ties = chance(gen, 20);

    for (int s = 0; s < nest->n_statement; s++) {
        const struct poly_statement *statement = &nest->statement[s];
        text_add(out, s ? "; " : "");
        write_tuple(statement, out);
        text_add(out, " -> [");
        for (int k = 0; k < n_first; k++) {
            text_add(out, k ? ", " : "");
            write_time(gen, statement, out);
        }
        for (int k = 0; k < nest->n_time - n_first; k++) {
            text_add(out, n_first + k ? ", " : "");
            if (k < statement->n)
                text_add(out, ties && chance(gen, 30) ? "0" : iterators[k]);
            else
                text_addf(out, "%d", s);
        }
        text_add(out, "]");
    }
}

/* All subscripts are at least 0 and below 2 * N + 2 * M + 30. */
static void write_element(struct gen *gen, const struct poly_statement *statement, int array, struct text *out)
{
    text_addf(out, "%c[%s + %d", 'A' + array, any_iterator(gen, statement), 4 + pick(gen, 3));
    if (chance(gen, 25))
        text_addf(out, " + %s + 4", any_iterator(gen, statement));
    text_addf(out, ", %s + %d]", any_iterator(gen, statement), 4 + pick(gen, 3));
}

static void write_statement(struct gen *gen, const struct poly_statement *statement, int number, struct text *out)
{
    static const char *const updates[] = {"+=", "=", "*=", "-="};
    const int target = chance(gen, 60) ? number : pick(gen, 3);

    text_addf(out, "\"%s: ", statement->label);
    if (chance(gen, 50) && statement->n > 1)
        text_addf(out, "%c[%s + %d, %s + 4]", 'A' + target, iterators[0], 4 + pick(gen, 2), iterators[1]);
    else
        write_element(gen, statement, target, out);
    text_addf(out, " %s ", updates[pick(gen, 4)]);
    write_element(gen, statement, pick(gen, 3), out);
    text_addf(out, " + %s\"", any_iterator(gen, statement));
}

static void write_nest(struct gen *gen, struct poly_nest *nest, struct text *out)
{
    const int n_first = pick(gen, 3);
    int deepest = 1;

    nest->n_statement = 1 + pick(gen, chance(gen, 80) ? 2 : 3);
    text_add(out, "\"nests\": [{\"domain\": \"[N, M] -> { ");
    for (int s = 0; s < nest->n_statement; s++) {
        struct poly_statement *statement = &nest->statement[s];
        *statement = (struct poly_statement){{(char)('S' + s), 0}, 1 + pick(gen, chance(gen, 90) ? 2 : 3)};
        deepest = statement->n > deepest ? statement->n : deepest;
        text_add(out, s ? "; " : "");
        write_domain(gen, statement, out);
    }
    nest->n_time = n_first + deepest < MOST_TIMES ? n_first + deepest : MOST_TIMES;
    text_add(out, " }\",\n \"order\": \"[N, M] -> { ");
    write_order(gen, nest, n_first, out);
    text_add(out, " }\", \"as\": [");
    for (int k = 0; k < nest->n_time; k++)
        text_addf(out, "%s\"%s\"", k ? ", " : "", times[k]);
    text_add(out, "],\n \"body\": [");
    for (int s = 0; s < nest->n_statement; s++) {
        text_add(out, s ? ", " : "");
        write_statement(gen, &nest->statement[s], s, out);
    }
    text_add(out, "]}],\n");
}

static void write_step(struct gen *gen, const struct poly_nest *nest, struct text *out)
{
    const char *loop = times[pick(gen, nest->n_time)], *other = times[pick(gen, nest->n_time)];

    switch (pick(gen, 6)) {
    case 0:
    case 1:
        text_addf(out, "{\"split\": \"%s\", \"by\": %d}", loop, 2 + pick(gen, 4));
        break;
    case 2:
        text_addf(out, "{\"reverse\": \"%s\"}", loop);
        break;
    case 3:
        text_addf(out, "{\"skew\": \"%s\", \"by\": \"%s\", \"factor\": %d}", loop, other, 1 + pick(gen, 2));
        break;
    case 4:
        text_addf(out, "{\"shift\": \"%s\", \"of\": \"%s\", \"by\": %d}", loop, nest->statement[0].label,
                  pick(gen, 5) - 2);
        break;
    default:
        text_addf(out, "{\"reorder\": [\"%s\", \"%s\"]}", loop, other);
    }
}

void generate_polyhedral(struct gen *gen, unsigned chosen, struct text *out)
{
    const char *type = chance(gen, 50) ? "i32" : "f64";
    struct poly_nest nest;
    bool first = true;

    text_add(out, "{\"polynest\": 1, \"name\": \"fuzz\", \"params\": [\"N\", \"M\"], \"assume\": [\"N >= 0\", "
                  "\"M >= 0\"],\n\"arrays\": [");
    for (int k = 0; k < 3; k++)
        text_addf(out,
                  "%s{\"name\": \"%c\", \"role\": \"inout\", \"type\": \"%s\", \"shape\": [\"2 * N + 2 * M + 30\", "
                  "\"N + M + 20\"]}",
                  k ? ", " : "", 'A' + k, type);
    text_add(out, "],\n");
    write_nest(gen, &nest, out);
    text_add(out, "\"schedule\": [");
    for (int k = 0; k < MAX_POLYHEDRAL_STEPS; k++) {
        struct text step = {0};
        write_step(gen, &nest, &step);
        if (chosen >> k & 1u) {
            text_addf(out, "%s%s", first ? "" : ", ", text_str(&step));
            first = false;
        }
        text_free(&step);
    }
    text_add(out, "]}\n");
}
