/* What `assume` says of single parameters: where they begin, and of which number they are multiples. Where K % 8 == 0,
 * shapes have 8 * K' in the place of K, so that it is seen which quotients are whole, and how far conditions go.
 *
 *     K - 8 * c - 1 >= 0     8 * K' - 8 * c - 8 >= 0: iteration c has all 8 elements of its tile */
#include "lower/finished/shape_parts.h"
#include "lower/finished/sources_parts.h"
#include "poly/number.h"

#include <isl/aff.h>
#include <isl/set.h>

/* Is the parameter with that number a multiple of the stride wherever the context holds? */
static bool is_multiple(__isl_keep isl_set *context, int param, __isl_keep isl_val *stride)
{
    isl_local_space *space = isl_local_space_from_space(isl_set_get_space(context));
    isl_aff *rest = isl_aff_mod_val(isl_aff_var_on_domain(space, isl_dim_param, (unsigned)param), isl_val_copy(stride));
    isl_set *multiples = isl_set_from_basic_set(isl_aff_zero_basic_set(rest));
    const bool all = isl_set_is_subset(context, multiples) == isl_bool_true;

    isl_set_free(multiples);
    return all;
}

/* What the parameter with that number is known to be a multiple of; 1: nothing. */
static int64_t known_factor(__isl_keep isl_set *context, int param)
{
    isl_set *values = isl_set_from_params(isl_set_copy(context));
    isl_stride_info *info;
    isl_val *stride;
    int64_t factor = 1;

    values = isl_set_move_dims(values, isl_dim_set, 0, isl_dim_param, (unsigned)param, 1);
    info = isl_set_get_stride_info(values, 0);
    stride = isl_stride_info_get_stride(info);
    if (isl_val_gt_si(stride, 1) != isl_bool_true || !is_multiple(context, param, stride) ||
        !poly_number(isl_val_copy(stride), &factor))
        factor = 1;
    isl_val_free(stride);
    isl_stride_info_free(info);
    isl_set_free(values);
    return factor;
}

void sources_find_multiples(struct sourcing *s)
{
    isl_set *context = s->sets->program->context;
    const int64_t *least = s->sets->param_least;

    for (int k = 0; context && k < s->sets->program->n_param; k++) {
        const int64_t factor = known_factor(context, k);
        struct var *var = ARENA_NEW(s->arena, struct var);
        if (least[k] > INT64_MIN)
            VEC_PUSH(s->arena, &s->least,
                     ((struct condition){affine_add_constant(s->arena, affine_var(s->arena, s->sets->param_var[k]),
                                                             -least[k]),
                                         false}));
        if (factor == 1)
            continue;
        *var = *s->sets->param_var[k];
        var->id = ways_count(&s->ways)->id;
        VEC_PUSH(s->arena, &s->multiple,
                 ((struct replacing){.var = s->sets->param_var[k],
                                     .by = affine_scale(s->arena, affine_var(s->arena, var), factor)}));
    }
}

/* The conditions with the constants with which they just hold. False: numbers are too large. */
static bool tighten(struct arena *arena, condition_vec *conditions)
{
    bool good = true;

    for (int k = 0; k < conditions->n && good; k++) {
        struct condition *own = &conditions->at[k];
        const int64_t gcd = own->affine ? affine_gcd(own->affine) : 0;
        if (gcd > 1 && !own->equal)
            own->affine = affine_scale(arena, affine_floor(arena, own->affine, gcd), gcd);
        good = own->affine;
    }
    return good;
}

bool sources_tell_multiples(struct sourcing *s, struct shape *shape)
{
    bool good = true;

    for (int m = 0; m < s->multiple.n && good; m++)
        if (shape_uses(shape, s->multiple.at[m].var))
            good = shape_change(shape, &s->multiple.at[m]);
    return good && (s->multiple.n == 0 || tighten(s->arena, &shape->condition));
}

bool sources_find_implied(struct sourcing *s, struct shape *load)
{
    shape_find_implied(load);
    load->found = ARENA_NEW(s->arena, struct found);
    load->in_parts = &s->in_parts;
    for (int k = 0; k < s->least.n; k++)
        VEC_PUSH(s->arena, &load->implied, s->least.at[k]);
    load->n_least = s->least.n;
    for (int m = 0; m < s->multiple.n; m++)
        for (int k = 0; k < load->implied.n; k++) {
            struct condition *own = &load->implied.at[k];
            if (own->affine && affine_uses(own->affine, s->multiple.at[m].var))
                own->affine = affine_substitute(s->arena, own->affine, s->multiple.at[m].var, s->multiple.at[m].by);
        }
    return s->multiple.n == 0 || tighten(s->arena, &load->implied);
}
