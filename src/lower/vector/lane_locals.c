#include "lower/vector/lane_locals.h"

#include "base/vec.h"
#include "lower/body/declarations.h"
#include "tree/visit.h"

enum { MOST_ELEMENTS = 64 };

/* How often an element is assigned, and how often it is read; an update counts as both. */
struct used {
    struct element element;
    int writes, reads;
};

struct uses {
    struct arena *arena;
    const struct array *array;
    VEC(const struct var *) bound; /* by the nodes that were seen */
    bool fixed;                    /* no subscript uses one of these, and different ones are never the same */
    VEC(struct used) used;
};

static bool is_fixed(const struct uses *uses, const struct element *element)
{
    bool fixed = true;

    for (int k = 0; k < element->array->n_dim && fixed; k++) {
        fixed = element->index[k] != NULL;
        for (int v = 0; v < uses->bound.n && fixed; v++)
            fixed = !affine_uses(element->index[k], uses->bound.at[v]);
    }
    for (int k = 0; k < uses->used.n && fixed; k++)
        fixed = element_apart(uses->arena, &uses->used.at[k].element, element);
    return fixed;
}

static struct used *find(const struct uses *uses, const struct element *element)
{
    for (int k = 0; k < uses->used.n; k++)
        if (element_same_subscripts(&uses->used.at[k].element, element))
            return &uses->used.at[k];
    return NULL;
}

static void note(struct uses *uses, const struct element *element, int writes, int reads)
{
    struct used *used;

    if (element->array != uses->array || !uses->fixed)
        return;
    used = find(uses, element);
    if (!used) {
        uses->fixed = is_fixed(uses, element);
        VEC_PUSH(uses->arena, &uses->used, ((struct used){*element, 0, 0}));
        used = &uses->used.at[uses->used.n - 1];
    }
    used->writes += writes;
    used->reads += reads;
}

static void note_load(const struct tree_expr *expr, void *user)
{
    note(user, &expr->element, 0, 1);
}

static void note_node(const struct node *node, void *user)
{
    struct uses *uses = user;

    if (node->var)
        VEC_PUSH(uses->arena, &uses->bound, node->var);
    for (int k = 0; k < node->n_part; k++)
        VEC_PUSH(uses->arena, &uses->bound, node->part[k].var);
    tree_expr_for_each(node->value, note_load, uses);
    tree_expr_for_each(node->guard_value, note_load, uses);
    if (node->kind != NODE_ASSIGN)
        return;
    for (int k = 0; node->target.indirect && k < node->target.array->n_dim; k++)
        tree_expr_for_each(node->target.indirect[k], note_load, uses);
    note(uses, &node->target, 1, node->op != OP_NONE ? 1 : 0);
}

static struct uses uses_in(struct arena *arena, const struct node *node, const struct array *array)
{
    struct uses uses = {.arena = arena, .array = array, .fixed = true};

    node_for_each(node, note_node, &uses);
    return uses;
}

/* Can each element of the array be a variable, which is read? */
static bool are_variables(const struct uses *uses)
{
    bool all = uses->array->role == ROLE_TEMP && !uses->array->is_buffer && uses->fixed && uses->used.n > 0 &&
               uses->used.n <= MOST_ELEMENTS;

    for (int k = 0; k < uses->used.n && all; k++)
        all = uses->used.at[k].reads > 0;
    return all;
}

/* The child that uses the element first; later: others use it, too. */
static int first_user(struct arena *arena, const struct node *body, const struct element *element, bool *later)
{
    int first = -1;

    *later = false;
    for (int k = 0; k < body->n_child; k++) {
        const struct uses uses = uses_in(arena, body->child[k], element->array);
        *later = *later || (first >= 0 && find(&uses, element));
        first = first < 0 && find(&uses, element) ? k : first;
    }
    return first;
}

/* The body with the first use as the declaration, where that is a plain assignment before the others; else NULL. */
static const struct node *declare_first(struct arena *arena, const struct node *body, const struct used *used)
{
    const struct node *child, *inner;
    bool later;

    if (body->kind != NODE_BLOCK && body->kind != NODE_IF)
        return NULL;
    const int first = first_user(arena, body, &used->element, &later);
    child = body->child[first];
    if (later && body->kind == NODE_IF)
        return NULL;
    if (!later) {
        inner = declare_first(arena, child, used);
        return inner ? node_with_child(arena, body, first, inner) : NULL;
    }
    const struct uses uses = uses_in(arena, child, used->element.array);
    if (child->kind != NODE_ASSIGN || find(&uses, &used->element)->reads > 0 || child->guard_value)
        return NULL;
    inner = declaration_of(arena, child, used->writes == 1);
    return node_with_child(arena, body, first, inner);
}

/* body without blocks inside of blocks, as far as these only list nodes. */
static const struct node *flat(struct arena *arena, const struct node *body)
{
    const struct node **child = ARENA_ARRAY(arena, body->n_child + 1, const struct node *);

    if (body->kind != NODE_BLOCK && body->kind != NODE_IF)
        return body;
    for (int k = 0; k < body->n_child; k++)
        child[k] = flat(arena, body->child[k]);
    return body->kind == NODE_BLOCK ? node_block_like(arena, body, child, body->n_child)
                                    : node_with_children(arena, body, child);
}

static const struct node *zero(struct arena *arena, const struct element *element)
{
    struct tree_expr *value = ARENA_NEW(arena, struct tree_expr);
    struct node *assign = ARENA_NEW(arena, struct node);
    const enum type type = element->array->type;

    *value = (struct tree_expr){.kind = TREE_INT, .type = type};
    if (type_is_float(type))
        *value = (struct tree_expr){.kind = TREE_REAL, .type = type, .spelling = "0.0"};
    *assign = (struct node){
        .kind = NODE_ASSIGN, .op = OP_NONE, .target = *element, .value = value, .declares = DECLARE_VARIABLE};
    return assign;
}

/* body with declarations of the elements. */
static const struct node *declare_elements(struct arena *arena, const struct node *body, const struct uses *uses)
{
    const struct node **child = ARENA_ARRAY(arena, uses->used.n + 1, const struct node *);
    int n = 0;

    body = flat(arena, body);
    for (int k = 0; k < uses->used.n; k++) {
        const struct node *with = declare_first(arena, body, &uses->used.at[k]);
        if (with)
            body = with;
        else
            child[n++] = zero(arena, &uses->used.at[k].element);
    }
    child[n++] = body;
    return n == 1 ? body : node_block(arena, child, n);
}

/* The loop with a body in which its variables are declared. */
static const struct node *declared(struct arena *arena, const struct node *loop)
{
    const struct array **local = ARENA_ARRAY(arena, loop->n_local + 1, const struct array *);
    const struct node *body = loop->child[0];
    struct node *copy;
    int n_local = 0;

    for (int k = 0; k < loop->n_local; k++) {
        const struct uses uses = uses_in(arena, loop, loop->local[k]);
        if (are_variables(&uses))
            body = declare_elements(arena, body, &uses);
        else
            local[n_local++] = loop->local[k];
    }
    if (n_local == loop->n_local)
        return loop;
    copy = ARENA_NEW(arena, struct node);
    *copy = *node_with_body(arena, loop, body);
    copy->local = local;
    copy->n_local = n_local;
    return copy;
}

const struct node *lane_locals_declared(struct arena *arena, const struct node *loop)
{
    const struct node **child = ARENA_ARRAY(arena, loop->n_child, const struct node *);

    for (int k = 0; k < loop->n_child; k++)
        child[k] = lane_locals_declared(arena, loop->child[k]);
    loop = node_with_children(arena, loop, child);
    return loop->kind == NODE_LOOP ? declared(arena, loop) : loop;
}
