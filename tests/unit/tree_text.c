#include "tree_text.h"

#include "tree/visit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VARS = 64, MOST_PARTS = 1024 };

struct parser {
    struct arena *arena;
    const struct program *program;
    const char *at;
    const struct var *var[MOST_VARS]; /* in scope, innermost last */
    int n_var;
    struct vars *vars;
    bool failed;
};

static const struct affine *parse_sum(struct parser *parser);
static const struct node *parse_nodes(struct parser *parser, int depth);

static bool skip(struct parser *parser, const char *token)
{
    const size_t size = strlen(token);

    while (*parser->at == ' ')
        parser->at++;
    if (strncmp(parser->at, token, size) != 0)
        return false;
    parser->at += size;
    return true;
}

static void expect(struct parser *parser, const char *token)
{
    parser->failed |= !skip(parser, token);
}

static const char *parse_name(struct parser *parser)
{
    skip(parser, "");
    const char *start = parser->at;
    while (isalnum((unsigned char)*parser->at) || *parser->at == '_')
        parser->at++;
    parser->failed |= parser->at == start;
    return arena_copy_n(parser->arena, start, (size_t)(parser->at - start));
}

static int64_t parse_number(struct parser *parser)
{
    char *end;

    skip(parser, "");
    const int64_t value = strtoll(parser->at, &end, 10);
    parser->failed |= end == parser->at;
    parser->at = end;
    return value;
}

static const struct affine *parse_extreme(struct parser *parser, enum atom_kind kind)
{
    const struct affine *arg[8];
    int n = 0;

    do
        arg[n++] = parse_sum(parser);
    while (n < 8 && skip(parser, ","));
    expect(parser, ")");
    return affine_extreme(parser->arena, kind, arg, n);
}

static const struct affine *parse_quotient(struct parser *parser, const char *slash, bool rest)
{
    const struct affine *operand = parse_sum(parser);

    expect(parser, slash);
    const int64_t divisor = parse_number(parser);
    expect(parser, ")");
    return rest ? affine_mod(parser->arena, operand, divisor) : affine_floor(parser->arena, operand, divisor);
}

static const struct affine *parse_var(struct parser *parser)
{
    const char *name = parse_name(parser);

    for (int k = parser->n_var - 1; k >= 0; k--)
        if (strcmp(parser->var[k]->name, name) == 0)
            return affine_var(parser->arena, parser->var[k]);
    parser->failed = true;
    return affine_constant(parser->arena, 0);
}

static const struct affine *parse_factor(struct parser *parser)
{
    if (skip(parser, "floor(("))
        return parse_quotient(parser, ")/", false);
    if (skip(parser, "mod("))
        return parse_quotient(parser, ",", true);
    if (skip(parser, "min("))
        return parse_extreme(parser, ATOM_MIN);
    if (skip(parser, "max("))
        return parse_extreme(parser, ATOM_MAX);
    return parse_var(parser);
}

static const struct affine *parse_term(struct parser *parser)
{
    skip(parser, "");
    if (!isdigit((unsigned char)*parser->at))
        return parse_factor(parser);
    const int64_t number = parse_number(parser);
    if (!skip(parser, "*"))
        return affine_constant(parser->arena, number);
    return affine_scale(parser->arena, parse_factor(parser), number);
}

static const struct affine *parse_sum(struct parser *parser)
{
    const struct affine *sum = affine_constant(parser->arena, 0);
    int64_t sign = skip(parser, "-") ? -1 : 1;

    for (;;) {
        sum = affine_add(parser->arena, sum, affine_scale(parser->arena, parse_term(parser), sign));
        if (skip(parser, "+"))
            sign = 1;
        else if (skip(parser, "- "))
            sign = -1;
        else
            return sum;
    }
}

static struct var *new_var(struct parser *parser, enum var_kind kind)
{
    const bool narrow = skip(parser, "int ");
    struct var *var = var_new(parser->vars, kind, parse_name(parser));

    var->narrow = narrow;
    return var;
}

/* The lines below that are indented further. */
static const struct node *parse_body(struct parser *parser, const struct var *var, int depth)
{
    if (var)
        parser->var[parser->n_var++] = var;
    const struct node *body = parse_nodes(parser, depth + 1);
    parser->n_var -= var != NULL;
    return body;
}

static const struct node *parse_loop(struct parser *parser, int depth)
{
    struct var *var = new_var(parser, VAR_LOOP);

    expect(parser, "=");
    const struct affine *lower = parse_sum(parser);
    const bool down = skip(parser, "down to");
    if (!down)
        expect(parser, "to");
    const struct affine *upper = parse_sum(parser);
    const int64_t step = skip(parser, "step") ? parse_number(parser) : down ? -1 : 1;
    affine_is_constant(down ? upper : lower, &var->low);
    affine_is_constant(down ? lower : upper, &var->high);
    expect(parser, "\n");
    return node_loop(parser->arena, var, lower, upper, step, NULL, parse_body(parser, var, depth));
}

static struct guard parse_guard(struct parser *parser)
{
    struct guard guard = {NULL, 0};
    struct condition *condition = ARENA_ARRAY(parser->arena, MOST_PARTS, struct condition);

    do {
        condition[guard.n].affine = parse_sum(parser);
        condition[guard.n].equal = skip(parser, "== 0");
        if (!condition[guard.n].equal)
            expect(parser, ">= 0");
        guard.n++;
    } while (skip(parser, "and "));
    guard.condition = condition;
    return guard;
}

static const struct node *parse_if(struct parser *parser, int depth)
{
    struct guard *alternative = ARENA_ARRAY(parser->arena, MOST_PARTS, struct guard);
    int n = 0;

    do
        alternative[n++] = parse_guard(parser);
    while (skip(parser, "or "));
    expect(parser, "\n");
    return node_if(parser->arena, alternative, n, parse_body(parser, NULL, depth));
}

static const struct node *parse_value(struct parser *parser, int depth)
{
    struct var *var = new_var(parser, VAR_VALUE);

    expect(parser, "=");
    const struct affine *value = parse_sum(parser);
    expect(parser, "\n");
    return node_value(parser->arena, var, value, parse_body(parser, var, depth));
}

static const struct node *parse_statement(struct parser *parser)
{
    const struct statement *statement = program_statement(parser->program, parse_name(parser));
    const struct affine **argument = ARENA_ARRAY(parser->arena, 8, const struct affine *);
    int n = 0;

    expect(parser, "[");
    while (n < 8 && !skip(parser, "]")) {
        argument[n++] = parse_sum(parser);
        skip(parser, ",");
        if (parser->failed)
            break;
    }
    expect(parser, "\n");
    parser->failed |= !statement || statement->n_loop != n;
    return node_statement(parser->arena, statement, argument);
}

static const struct node *parse_node(struct parser *parser, int depth)
{
    if (skip(parser, "for "))
        return parse_loop(parser, depth);
    if (skip(parser, "if "))
        return parse_if(parser, depth);
    if (skip(parser, "let "))
        return parse_value(parser, depth);
    return parse_statement(parser);
}

static const char *parse_comment(struct parser *parser)
{
    if (!skip(parser, "# "))
        return NULL;
    const size_t size = strcspn(parser->at, "\n");
    const char *comment = arena_copy_n(parser->arena, parser->at, size);
    parser->at += size + 1;
    return comment;
}

static bool at_depth(const struct parser *parser, int depth)
{
    return *parser->at && strspn(parser->at, " ") == (size_t)(4 * depth);
}

static const struct node *parse_nodes(struct parser *parser, int depth)
{
    const struct node *child[MOST_PARTS];
    int n = 0;

    while (n < MOST_PARTS && !parser->failed && at_depth(parser, depth)) {
        const char *comment = parse_comment(parser);
        const struct node *node = parse_node(parser, depth);
        child[n++] = comment ? node_with_comment(parser->arena, node, comment) : node;
    }
    parser->failed |= n == 0;
    return parser->failed ? NULL : node_block(parser->arena, child, n);
}

static bool looks_positive(void *user, const struct affine *affine)
{
    (void)user;
    for (int k = 0; k < affine->n_term; k++)
        if (affine->term[k].factor < 0)
            return false;
    return affine->constant >= 0;
}

static const struct affine *mark(struct arena *arena, const struct affine *affine, void *user)
{
    return affine_mark_plain(arena, affine, looks_positive, user);
}

const struct node *tree_from_text(struct arena *arena, const struct program *program, const char *text,
                                  struct vars *vars)
{
    struct parser parser = {.arena = arena, .program = program, .vars = vars, .at = text};

    for (int k = 0; k < program->n_param; k++)
        parser.var[parser.n_var++] = vars->param[k];
    const struct node *tree = parse_nodes(&parser, 0);
    return tree && !parser.failed && !*parser.at ? node_map(arena, tree, mark, NULL) : NULL;
}
