#include "breaking.h"

#include "unit.h"

#include "base/text.h"
#include "tree/verify.h"

#include <string.h>

struct node *copy_of(struct arena *arena, const struct node *node)
{
    struct node *copy = ARENA_NEW(arena, struct node);

    *copy = *node;
    return copy;
}

/* expr with the first part broken for which way has something; NULL: there is none. */
static const struct tree_expr *broken_expr(struct arena *arena, const struct tree_expr *expr, breaking_expr *way)
{
    struct tree_expr *copy = ARENA_NEW(arena, struct tree_expr);
    const struct tree_expr **arg = ARENA_ARRAY(arena, expr->n_arg + 1, const struct tree_expr *);

    *copy = *expr;
    if (way(arena, copy))
        return copy;
    for (int k = 0; k < expr->n_arg; k++)
        arg[k] = expr->arg[k];
    copy->arg = arg;
    for (int k = 0; k < expr->n_arg; k++) {
        arg[k] = broken_expr(arena, expr->arg[k], way);
        if (arg[k])
            return copy;
        arg[k] = expr->arg[k];
    }
    return NULL;
}

const struct node *with_value(struct arena *arena, const struct node *node, breaking_expr *way)
{
    struct node *copy = copy_of(arena, node);

    copy->value = node->value ? broken_expr(arena, node->value, way) : NULL;
    return copy->value ? copy : NULL;
}

const struct node *with_vector(struct arena *arena, const struct node *node, struct vector vector)
{
    struct node *copy = copy_of(arena, node);
    struct vector *other = ARENA_NEW(arena, struct vector);

    *other = vector;
    copy->vector = other;
    return copy;
}

const struct node *broken(struct arena *arena, const struct node *node, breaking *way, int *place)
{
    const struct node *other = way(arena, node);

    if (other && (*place)-- == 0)
        return other;
    for (int k = 0; k < node->n_child && *place >= 0; k++) {
        const struct node *child = broken(arena, node->child[k], way, place);
        if (*place < 0)
            return node_with_child(arena, node, k, child);
    }
    return node;
}

/* Choices and conversions in lanes, with masks, and a sum. */
const char breaking_mixed[] =
    "{'polynest': 1, 'name': 't', 'params': ['N'], 'permit': ['reassociate'], 'arrays': ["
    "{'name': 'x', 'role': 'in', 'type': 'f32', 'shape': ['N']},"
    "{'name': 'b', 'role': 'in', 'type': 'i32', 'shape': ['N']},"
    "{'name': 'y', 'role': 'out', 'type': 'f32', 'shape': ['N']},"
    "{'name': 's', 'role': 'inout', 'type': 'f32', 'shape': []}],"
    "'nests': [{'loops': ['i < N'], 'body': ['y[i] = x[i] > 1.5 ? f32(b[i]) + x[i] : f32(i)', 's += x[i]']}],"
    "'plan': [{'vectorize': 'i'}], 'target': {'simd': 'avx2'}}";

void expect_verified(const struct finished *finished, const struct node *tree, const char *told)
{
    struct vars vars = *finished->vars;

    const char *said;

    vars.broken = vars.doubted = NULL;
    tree = tree_verified(&vars, ~0u, "test", tree);
    ck_assert(!tree == (vars.broken != NULL));
    said = vars.broken ? vars.broken : vars.doubted;
    ck_assert_msg(!said == !told, "%s", said ? said : told);
    ck_assert_msg(!told || strstr(said, told), "%s", said);
}

static void look(const struct finished *finished, void *user)
{
    struct trial *trial = user;
    struct arena *arena = arena_new();
    int left = -1;

    expect_verified(finished, finished->tree, NULL);
    for (trial->places = 0; left < 0; trial->places += left < 0) {
        left = trial->places;
        const struct node *tree = broken(arena, finished->tree, trial->way, &left);
        if (left < 0)
            expect_verified(finished, tree, trial->told);
    }
    arena_free(arena);
}

/* The finished tree of the description, with ' for ", is shown to see, which breaks it. */
void expect_broken(const char *description, void (*see)(const struct finished *, void *), struct trial trial)
{
    struct text text = {0};
    struct polynest *p;

    text_add(&text, description);
    for (size_t k = 0; k < text.size; k++)
        text.data[k] = text.data[k] == '\'' ? '"' : text.data[k];
    p = polynest_new("t.json", text.data, text.size);
    p->see = see;
    p->see_user = &trial;
    ck_assert_msg(polynest_check(p) == POLYNEST_OK, "%s", polynest_diagnostics(p));
    ck_assert_msg(trial.places > 0, "there is no place for: %s", trial.told);
    polynest_free(p);
    text_free(&text);
}

/* All places at which the description's tree can be broken in this way are told. */
void expect_told(const char *description, breaking *way, const char *told)
{
    expect_broken(description, look, (struct trial){way, told, 0});
}
