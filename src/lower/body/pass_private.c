/* Pass "private": an array that each thread has for itself loses the dimensions whose subscript is the thread's
 * position, the same wherever it is used:
 *
 *     for (ii over thread.y) acc[ii][iii] = ..          becomes          acc[iii] = ..
 */
#include "lower/lower.h"

#include "base/vec.h"
#include "program/program.h"
#include "tree/visit.h"

#include <stddef.h>
#include <string.h>

/* A subscript factor * (position on axis) + first. */
struct form {
    enum axis axis;
    int64_t factor, first;
};

struct search {
    struct arena *arena;
    const struct array *array;
    int dim;
    VEC(const struct node *) loop; /* bound loops around */
    struct form form;              /* of the uses seen so far */
    bool any, differs;
};

/* The one term of a in a variable, or that floor divided by *divisor; NULL: there is more. */
static const struct affine *only_term(const struct affine *a, int64_t *divisor)
{
    *divisor = 1;
    if (a->n_term != 1 || a->term->atom->kind == ATOM_VAR)
        return a->n_term == 1 ? a : NULL;
    if (a->term->atom->kind != ATOM_FLOOR || a->term->factor != 1 || a->constant != 0)
        return NULL;
    *divisor = a->term->atom->divisor;
    a = a->term->atom->arg[0];
    return a->n_term == 1 && a->term->atom->kind == ATOM_VAR ? a : NULL;
}

static bool form_of(const struct search *search, const struct affine *index, struct form *form)
{
    int64_t divisor, first;
    const struct affine *sum = index ? only_term(index, &divisor) : NULL;

    for (int k = 0; sum && k < search->loop.n; k++) {
        const struct node *loop = search->loop.at[k];
        const int64_t factor = sum->term->factor * loop->step;
        if (sum->term->atom->var != loop->var || !affine_is_constant(loop->lower, &first) || factor % divisor != 0)
            continue;
        *form =
            (struct form){loop->axis, factor / divisor, floor_div(sum->constant + sum->term->factor * first, divisor)};
        return true;
    }
    return false;
}

static void look_element(struct search *search, const struct element *element)
{
    struct form form = {AXIS_NONE, 0, 0};

    if (element->array != search->array)
        return;
    if (!form_of(search, element->index[search->dim], &form))
        search->differs = true;
    else if (!search->any)
        search->form = form;
    else if (form.axis != search->form.axis || form.factor != search->form.factor || form.first != search->form.first)
        search->differs = true;
    search->any = true;
}

static void look_expr(const struct tree_expr *expr, void *user)
{
    look_element(user, &expr->element);
}

static void look(struct search *search, const struct node *node)
{
    const bool binds = node->kind == NODE_LOOP && axis_is_thread(node->axis) && node->axis != AXIS_THREAD;

    if (binds)
        VEC_PUSH(search->arena, &search->loop, node);
    if (node->kind == NODE_ASSIGN) {
        look_element(search, &node->target);
        tree_expr_for_each(node->value, look_expr, search);
        tree_expr_for_each(node->guard_value, look_expr, search);
    }
    for (int k = 0; k < node->n_child; k++)
        look(search, node->child[k]);
    search->loop.n -= binds;
}

static struct element without(struct arena *arena, const struct element *element, void *user)
{
    const struct search *search = user;
    const struct affine **index;
    const struct tree_expr **indirect;
    struct element shorter = *element;

    if (element->array != search->array)
        return *element;
    index = ARENA_ARRAY(arena, element->array->n_dim, const struct affine *);
    indirect = ARENA_ARRAY(arena, element->array->n_dim, const struct tree_expr *);
    for (int k = 0, n = 0; k < element->array->n_dim; k++)
        if (k != search->dim) {
            index[n] = element->index[k];
            indirect[n++] = element->indirect ? element->indirect[k] : NULL;
        }
    shorter.index = index;
    shorter.indirect = element->indirect ? indirect : NULL;
    return shorter;
}

/* The first subscript of the array in a comment that names one for each dimension, else NULL. */
static const char *subscripts_in(const char *comment, const struct array *array)
{
    const size_t size = strlen(array->name);
    const char *first = comment ? strchr(comment, '[') : NULL, *end = first;
    int n = 0;

    for (; end && *end == '['; n++)
        end = strchr(end, ']') ? strchr(end, ']') + 1 : NULL;
    if (!end || n != array->n_dim || (size_t)(first - comment) <= size || first[-(ptrdiff_t)size - 1] != ' ')
        return NULL;
    return strncmp(first - size, array->name, size) == 0 ? first : NULL;
}

/* "fill acc[iii] from C" for "fill acc[ii][iii] from C" */
static const struct node *with_shorter_comment(const struct search *search, const struct node *node)
{
    const char *subscript = subscripts_in(node->comment, search->array);

    if (!subscript)
        return node;
    for (int k = 0; k < search->dim; k++)
        subscript = strchr(subscript, ']') + 1;
    return node_with_comment(search->arena, node,
                             arena_printf(search->arena, "%.*s%s", (int)(subscript - node->comment), node->comment,
                                          strchr(subscript, ']') + 1));
}

static const struct node *drop(struct search *search, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(search->arena, node->n_child + 1, const struct node *);

    for (int k = 0; k < node->n_child; k++)
        child[k] = drop(search, node->child[k]);
    node = with_shorter_comment(search, node_with_children(search->arena, node, child));
    return node->kind == NODE_ASSIGN ? node_map_elements(search->arena, node, without, search) : node;
}

/* The array's declaration, without the dimension. */
static void shorten(struct arena *arena, struct array *array, int dim)
{
    struct expr **shape = ARENA_ARRAY(arena, array->n_dim, struct expr *);
    int n = 0;

    for (int k = 0; k < array->n_dim; k++)
        if (k != dim)
            shape[n++] = array->shape[k];
    array->shape = shape;
    array->dim_order = NULL;
    array->n_dim = n;
}

/* Are its elements in the order of the subscripts? */
static bool is_plain(const struct array *array)
{
    for (int k = 0; k < array->n_dim && array->dim_order; k++)
        if (array->dim_order[k] != k)
            return false;
    return !array->stride && !array->stored_dim;
}

const struct node *lower_private(struct lowering *lowering, const struct node *tree)
{
    const struct program *program = lowering->program;

    for (int k = 0; k < program->n_array; k++) {
        struct array *array = &program->array[k];
        const bool plain = is_plain(array);
        for (int dim = array->n_dim - 1; dim >= 0 && plain && array->memory == MEMORY_LOCAL; dim--) {
            struct search search = {.arena = lowering->arena, .array = array, .dim = dim};
            look(&search, tree);
            if (!search.any || search.differs)
                continue;
            tree = drop(&search, tree);
            shorten(lowering->arena, array, dim);
        }
    }
    return tree;
}
