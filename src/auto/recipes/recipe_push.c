/* Sums along a row of what the same row has in front, such as in dynamic programming over intervals:
 *
 *     for (j) { t[i, j] = ..; for (k < j) t[i, j] += t[i, k] * u[k, j]; }
 *
 * Element k, once it is final, is added to all later elements of the row, which are neighbours in memory:
 *
 *     S[i, j, k] -> [i, 1, k, 1, 0, j]      U[i, j] -> [i, 1, j, 0, number of U, 0]
 *
 * and what does not wait for its row comes in front of that: V[i, j] -> [i, 0, number of V, 0, 0, j].
 */
#include "auto/recipes/recipes.h"
#include "auto/related.h"

struct push {
    const struct scene *scene;
    const struct nest_part *loop[MAX_DEPTH]; /* from the outermost to that over the elements of a row */
    int n;
    const struct statement *sum;
    struct text map;
    line_vec as;
};

/* Does the later statement need elements of its row that are in front of its own? */
static bool is_from_front(const struct push *push, const struct dependence *dependence)
{
    const int later = dependence->from->statement->n_loop, element = push->n - 1;
    isl_set *pairs = isl_map_wrap(isl_map_copy(dependence->map));

    for (int k = 0; k < element; k++)
        pairs = set_level(pairs, k, later + k);
    return !set_is_none(set_ahead(pairs, later + element, element, 1));
}

static bool waits_for_row(const struct push *push, const struct statement *statement)
{
    const struct dependences *all = distances_dependences(push->scene->distances);

    for (int k = 0; k < all->n; k++)
        if (all->list[k].to->statement == statement && !all->list[k].reduction &&
            all->list[k].from->statement->nest == statement->nest && is_from_front(push, &all->list[k]))
            return true;
    return false;
}

/* Is k < j, or whatever the two loops are called, in all instances of the sum? */
static bool is_in_front(const struct push *push)
{
    return loop_is_ahead(push->sum, push->n - 1, push->n, 1);
}

/* The loops, and in the innermost one statements and one loop with a sum. */
static bool find(struct push *push, const struct nest_part *part)
{
    enum expr_op op;

    for (; part->loop && push->n < MAX_DEPTH; part = part->child.at[0]) {
        push->loop[push->n++] = part;
        if (part->child.n > 1)
            break;
    }
    if (!part->loop || push->n == MAX_DEPTH)
        return false;
    for (int k = 0; k < part->child.n; k++) {
        const struct nest_part *child = part->child.at[k];

        if (!child->loop)
            continue;
        if (push->sum || child->descends || child->child.n != 1 || child->child.at[0]->loop)
            return false;
        push->sum = child->child.at[0]->statement;
    }
    return push->sum && !part->descends && statement_is_update(push->sum, &op);
}

/* Are elements of the row neighbours for all that the sum uses, and is what it sums up in front? */
static bool gains(const struct push *push)
{
    if (stride_of(&push->sum->access[0], push->n) != STRIDE_NONE ||
        stride_of(&push->sum->access[0], push->n - 1) != STRIDE_NEXT)
        return false;
    for (int k = 1; k < push->sum->n_access; k++)
        if (stride_of(&push->sum->access[k], push->n - 1) == STRIDE_FAR)
            return false;
    return is_in_front(push) && waits_for_row(push, push->sum);
}

static void start(struct push *push, const struct statement *statement)
{
    text_addf(&push->map, "%s%s[", push->map.size ? "; " : "", statement->label);
    for (int k = 0; k < statement->n_loop; k++)
        text_addf(&push->map, "%s%s", k ? ", " : "", statement->loop_name[k]);
    text_add(&push->map, "] -> [");
    for (int k = 0; k < push->n - 1; k++)
        text_addf(&push->map, "%s%s, ", push->loop[k]->descends ? "-" : "", statement->loop_name[k]);
}

static void add_times(struct push *push)
{
    const struct nest_part *last = push->loop[push->n - 1];

    for (int k = 0; k < last->child.n; k++) {
        const struct statement *statement = last->child.at[k]->statement;

        start(push, statement ? statement : push->sum);
        if (!statement)
            text_addf(&push->map, "1, %s, 1, 0, %s]", push->sum->loop_name[push->n], push->sum->loop_name[push->n - 1]);
        else if (waits_for_row(push, statement))
            text_addf(&push->map, "1, %s, 0, %d, 0]", statement->loop_name[push->n - 1], k);
        else
            text_addf(&push->map, "0, %d, 0, 0, %s]", k, statement->loop_name[push->n - 1]);
    }
}

static void add_name(struct push *push, const char *wanted)
{
    struct arena *arena = push->scene->arena;
    const char *name = program_default_name(arena, push->scene->program, wanted, push->as.at, push->as.n);

    VEC_PUSH(arena, &push->as, name);
}

static void add_names(struct push *push, struct text *as)
{
    for (int k = 0; k < push->n - 1; k++)
        add_name(push, push->sum->loop_name[k]);
    add_name(push, "part");
    add_name(push, push->sum->loop_name[push->n]);
    add_name(push, "stage");
    add_name(push, "stage");
    add_name(push, push->sum->loop_name[push->n - 1]);
    for (int k = 0; k < push->as.n; k++)
        text_addf(as, "%s\"%s\"", k ? ", " : "", push->as.at[k]);
}

void recipe_push(const struct scene *scene, const part_vec *parts, struct choice *choice)
{
    struct push push = {.scene = scene};
    struct option *option;
    struct text as = {0};
    int lanes;

    if (parts->n != 1 || !find(&push, parts->at[0]) || !gains(&push))
        return;
    lanes = common_lanes(scene, (const struct statement *const *)&push.sum, 1);
    if (lanes < 2)
        return;
    option = proposal_option(scene->proposal, choice,
                             "each element of a row, once it is final, is added to all later ones, in vector lanes");
    add_times(&push);
    add_names(&push, &as);
    line_add(scene->arena, &option->schedule, "{\"map\": \"{ %s }\", \"as\": [%s]}", text_str(&push.map),
             text_str(&as));
    line_add(scene->arena, &option->plan, "{\"vectorize\": \"%s.%s\", \"lanes\": %d}", push.sum->label,
             push.as.at[push.as.n - 1], lanes);
    text_free(&push.map);
    text_free(&as);
}
