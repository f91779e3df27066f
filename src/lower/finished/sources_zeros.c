/* Stores of zeros: what an array starts with, and what is behind the elements of a buffer whose tiles are rounded up.
 *
 *     acc[c] = 0 for c >= M - j           zeros for no element of C
 *     acc[c] = C[j + c] for c < M - j
 *     acc[c] += A[..] for c < 16          the instances of the schedule load what stands for C[j + c], others what
 *     C[j + c] = acc[c] for c < M - j     stands for it or zero
 *
 * That instances which are no schedule's read zeros, or what is there, and that nobody observes what they compute, is
 * proved where tiles are rounded up. */
#include "lower/finished/sources_parts.h"
#include "poly/number.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/set.h>

bool sources_may_serve(const struct party *store, const struct party *load)
{
    return store->zero || sources_same_meaning(store, load);
}

/* Is some condition of each part, and these are all that there is, known never to hold? */
static bool are_nowhere(struct arena *arena, const struct shape *load, const stored_part_vec *parts)
{
    bool nowhere = true;

    for (int p = 0; p < parts->n && nowhere; p++) {
        const condition_vec *condition = &parts->at[p].condition;
        nowhere = false;
        for (int k = 0; k < condition->n && !nowhere && !parts->at[p].some; k++)
            nowhere = !condition->at[k].equal && stored_known(arena, load, &(condition_vec){0},
                                                              stored_opposite(arena, condition->at[k].affine), false);
    }
    return nowhere;
}

enum stored sources_stored(struct arena *arena, const struct party *load, const struct shape *load_shape,
                           const struct party *store, const struct shape *store_shape, stored_part_vec *parts)
{
    stored_part_vec zeros = {0};
    enum stored stored;

    if (!store->zero || load->zeros_serve)
        return same_stored(arena, load_shape, store_shape, load->n_index, parts);
    stored = same_stored(arena, load_shape, store_shape, load->n_index, &zeros);
    return stored == STORED_ELSEWHERE || (stored == STORED_PART && are_nowhere(arena, load_shape, &zeros))
               ? STORED_ELSEWHERE
               : STORED_UNKNOWN;
}

/* A domain whose conditions are put on a way. */
struct limiting {
    struct sourcing *s;
    const struct leaf *leaf;
    const struct way *way;
    bool failed;
};

/* sum + coefficient * value */
static const struct affine *plus(const struct limiting *limiting, const struct affine *sum,
                                 __isl_take isl_val *coefficient, const struct affine *value)
{
    int64_t factor;

    return poly_number(coefficient, &factor) && sum ? affine_combine(limiting->s->arena, sum, 1, value, factor) : NULL;
}

/* The constraint's expression at the leaf's instance; NULL: it has none. */
static const struct affine *at_instance(const struct limiting *limiting, __isl_keep isl_aff *aff)
{
    struct arena *arena = limiting->s->arena;
    const struct affine *sum = affine_constant(arena, 0);

    if (isl_aff_dim(aff, isl_dim_div) != 0 || isl_aff_dim(aff, isl_dim_in) != limiting->leaf->n_argument ||
        isl_aff_dim(aff, isl_dim_param) != limiting->s->sets->program->n_param)
        return NULL;
    sum = plus(limiting, sum, isl_aff_get_constant_val(aff), affine_constant(arena, 1));
    for (int k = 0; k < limiting->s->sets->program->n_param; k++)
        sum = plus(limiting, sum, isl_aff_get_coefficient_val(aff, isl_dim_param, k),
                   affine_var(arena, limiting->s->sets->param_var[k]));
    for (int k = 0; k < limiting->leaf->n_argument; k++)
        sum = plus(limiting, sum, isl_aff_get_coefficient_val(aff, isl_dim_in, k), limiting->leaf->argument[k]);
    return sum;
}

static isl_stat add_limit(__isl_take isl_constraint *constraint, void *user)
{
    struct limiting *limiting = user;
    struct arena *arena = limiting->s->arena;
    isl_aff *aff = isl_constraint_get_aff(constraint);
    const struct affine *affine = at_instance(limiting, aff);

    if (affine && isl_constraint_is_equality(constraint) == isl_bool_true)
        limiting->way = way_with_least(&limiting->s->ways, limiting->way, affine_scale(arena, affine, -1));
    limiting->way = affine && limiting->way ? way_with_least(&limiting->s->ways, limiting->way, affine) : NULL;
    isl_aff_free(aff);
    isl_constraint_free(constraint);
    return limiting->way ? isl_stat_ok : isl_stat_error;
}

/* The leaf's way, of its instances in the domain; NULL: the domain is not one piece without quotients. */
static const struct way *within(struct sourcing *s, const struct leaf *leaf, __isl_keep isl_set *domain)
{
    struct limiting limiting = {.s = s, .leaf = leaf, .way = leaf->way};
    isl_set *own = isl_set_gist_params(isl_set_copy(domain), isl_set_copy(s->sets->program->context));
    isl_basic_set_list *list = isl_set_get_basic_set_list(own);
    isl_basic_set *only = isl_basic_set_list_n_basic_set(list) == 1 ? isl_basic_set_list_get_basic_set(list, 0) : NULL;
    const bool added = only && isl_basic_set_foreach_constraint(only, add_limit, &limiting) == isl_stat_ok;

    isl_basic_set_free(only);
    isl_basic_set_list_free(list);
    isl_set_free(own);
    return added ? limiting.way : NULL;
}

/* The leaf's way for those instances that are the schedule's: the same where all are. */
static const struct way *scheduled_way(struct sourcing *s, const struct leaf *leaf)
{
    const struct statement *before = meaning_before(s->scheduled, leaf->statement);
    const struct way *way;

    if (!before || leaf->statement->is_copy || meaning_is_within(leaf->statement, before))
        return leaf->way;
    way = within(s, leaf, before->domain);
    return way ? way : leaf->way;
}

/* Is it an element of an array that starts as zero, and no copy of it? */
static bool starts_as_zero(const struct meaning *meaning)
{
    return meaning->of && meaning->of_array->init_zero && strcmp(meaning->of, meaning->array->name) == 0;
}

void sources_add_load(struct sourcing *s, const struct party *load, party_vec *loads)
{
    const struct way *scheduled = starts_as_zero(load->meaning) ? load->leaf.way : scheduled_way(s, &load->leaf);
    struct party own = *load;

    own.loaded = ARENA_NEW(s->arena, struct loaded);
    *own.loaded = (struct loaded){load->leaf.statement, load->meaning->array, load->meaning->partial, 0, NULL};
    own.loaded->why = load->n_of < 0 ? "elements of which it is not known what they stand for"
                                     : "what is not stored in the same iteration, or for several elements";
    VEC_PUSH(s->arena, &s->loaded, own.loaded);
    own.zeros_serve = starts_as_zero(load->meaning);
    own.loaded->open = 1;
    own.leaf.way = scheduled;
    VEC_PUSH(s->arena, loads, own);
    if (scheduled == load->leaf.way)
        return;
    own.zeros_serve = true;
    own.loaded->open = 2;
    own.leaf.way = load->leaf.way;
    VEC_PUSH(s->arena, loads, own);
}
