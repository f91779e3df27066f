/* Tiles of 8 elements of x that are copied to b, which S reads in their place: what tests of
 * finished/sources.h have in common. */
#ifndef TESTS_UNIT_TILE_COPIES_H
#define TESTS_UNIT_TILE_COPIES_H

#include "lower/finished/sources.h"
#include "reading.h"
#include "tree/vars.h"
#include "unit.h"

enum { FILL, READ, BEFORE, STATEMENTS, ZERO = STATEMENTS };

struct subject {
    struct reading_result read;
    struct program scheduled;
    struct vars *vars;
    const struct var *j, *l, *t, *name;
    struct array *buffer;
};

static struct subject s;

static inline const struct affine *at(const struct var *var)
{
    return affine_var(s.read.arena, var);
}

static inline const struct affine *plus(const struct affine *a, int64_t constant)
{
    return affine_add_constant(s.read.arena, a, constant);
}

static inline const struct affine *constant(int64_t value)
{
    return affine_constant(s.read.arena, value);
}

static inline const struct affine *end(void)
{
    return at(s.vars->param[0]);
}

/* S as it was scheduled, reading x, is what the description calls B; F fills b, and Z, which was not there, makes it
 * zero. */
static inline void set_up_with(const char *extent, const char *subscript)
{
    struct statement **statement, *before;
    struct text text = {0};

    text_addf(&text,
              "{'polynest': 1, 'name': 'd', 'params': ['N'], 'assume': ['N >= 1000'], 'arrays': ["
              "{'name': 'x', 'role': 'in', 'type': 'f32', 'shape': ['N + 8']},"
              "{'name': 'y', 'role': 'out', 'type': 'f32', 'shape': ['N']},"
              "{'name': 'b', 'role': 'temp', 'type': 'f32', 'shape': [%s]}],"
              "'nests': [{'name': 'f', 'loops': ['i < N'], 'body': ['F: b[%s] = x[i]']},"
              "{'name': 's', 'loops': ['i < N'], 'body': ['S: y[i] = 2 * b[%s]']},"
              "{'name': 't', 'loops': ['i < N'], 'body': ['B: y[i] = 2 * x[i]']},"
              "{'name': 'z', 'loops': ['i < N'], 'body': ['Z: b[%s] = 0']}]}",
              extent, subscript, subscript, subscript);
    s = (struct subject){.read = read_text(text_str(&text))};
    text_free(&text);
    statement = s.read.program->statement;
    s.buffer = &s.read.program->array[2];
    statement[FILL]->is_copy = true;
    statement[FILL]->copies = "b";
    s.scheduled = *s.read.program;
    s.scheduled.statement = ARENA_ARRAY(s.read.arena, STATEMENTS, struct statement *);
    memcpy(s.scheduled.statement, statement, STATEMENTS * sizeof(*statement));
    s.scheduled.n_statement = STATEMENTS;
    before = ARENA_NEW(s.read.arena, struct statement);
    *before = *statement[READ];
    before->value = statement[BEFORE]->value;
    s.scheduled.statement[READ] = before;
    s.vars = vars_of_program(s.read.arena, s.read.program);
    s.j = var_new(s.vars, VAR_LOOP, "j");
    s.l = var_new(s.vars, VAR_LOOP, "l");
    s.t = var_new(s.vars, VAR_LOOP, "t");
    s.name = var_new(s.vars, VAR_VALUE, "a");
}

static inline void set_up(void)
{
    set_up_with("8", "i % 8");
}

/* b[i % modulus] */
static inline void set_up_modulus(int64_t modulus)
{
    char extent[16], subscript[16];

    snprintf(extent, sizeof(extent), "%d", (int)modulus);
    snprintf(subscript, sizeof(subscript), "i %% %d", (int)modulus);
    set_up_with(extent, subscript);
}

static inline void tear_down(void)
{
    reading_free(&s.read);
}

static inline const struct tree_expr *load(const struct array *array)
{
    struct tree_expr *expr = ARENA_NEW(s.read.arena, struct tree_expr);

    *expr = (struct tree_expr){.kind = TREE_LOAD, .type = TYPE_F32, .element = {.array = array}};
    return expr;
}

static inline const struct tree_expr *named(void)
{
    struct tree_expr *expr = ARENA_NEW(s.read.arena, struct tree_expr);

    *expr = (struct tree_expr){.kind = TREE_NAMED, .type = TYPE_F32, .var = s.name};
    return expr;
}

/* F or S at that instance; the subscripts of the node are not looked at. */
static inline struct node *assign(int number, const struct affine *instance, const struct tree_expr *value)
{
    struct node *node = ARENA_NEW(s.read.arena, struct node);
    const struct affine **argument = ARENA_ARRAY(s.read.arena, 1, const struct affine *);
    const struct statement *statement = s.read.program->statement[number];

    argument[0] = instance;
    *node = (struct node){.kind = NODE_ASSIGN,
                          .statement = statement,
                          .argument = argument,
                          .target = {.array = statement->target->array},
                          .value = value};
    return node;
}

static inline const struct node *let(const struct tree_expr *value, const struct node *body)
{
    struct node *node = ARENA_NEW(s.read.arena, struct node);
    const struct node **child = ARENA_ARRAY(s.read.arena, 1, const struct node *);

    child[0] = body;
    *node = (struct node){.kind = NODE_LET, .var = s.name, .value = value, .child = child, .n_child = 1};
    return node;
}

/* for l = first to last: body where j + l < N. */
static inline const struct node *through(int64_t first, int64_t last, const struct node *body)
{
    struct arena *arena = s.read.arena;
    struct condition *inside = ARENA_NEW(arena, struct condition);
    struct guard *guard = ARENA_NEW(arena, struct guard);

    *inside = (struct condition){plus(affine_sub(arena, end(), affine_add(arena, at(s.j), at(s.l))), -1), false};
    *guard = (struct guard){inside, 1};
    return node_loop(arena, s.l, constant(first), constant(last), 1, NULL, node_if(arena, guard, 1, body));
}

/* The statement at j + l + more, for those l. */
static inline const struct node *tile(int number, int64_t first, int64_t last, int64_t more)
{
    const struct affine *i = affine_add(s.read.arena, at(s.j), at(s.l));
    const struct array *array = number == FILL ? &s.read.program->array[0] : s.buffer;

    return through(first, last, assign(number, plus(i, more), load(array)));
}

static inline const struct node *both(const struct node *one, const struct node *other)
{
    const struct node *child[] = {one, other};

    return node_block(s.read.arena, child, 2);
}

/* For each tile. */
static inline const struct node *each(const struct node *body)
{
    return node_loop(s.read.arena, s.j, constant(0), plus(end(), -1), 8, NULL, body);
}

static inline bool is_shown(const struct node *tree)
{
    const int64_t least[] = {1000};
    struct same_sets sets = {.arena = s.read.arena,
                             .program = s.read.program,
                             .param_var = s.vars->param,
                             .param_least = least};
    const struct source_result *result = sources(&sets, &s.scheduled, s.vars->all.n, tree);

    ck_assert_int_gt(result[READ].n, 0);
    return result[READ].shown == result[READ].n;
}

static inline const struct node *fill(void)
{
    return tile(FILL, 0, 7, 0);
}

static inline const struct node *reading(void)
{
    return tile(READ, 0, 7, 0);
}

#endif
