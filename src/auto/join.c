#include "auto/join.h"

#include "auto/recipes/recipes.h"

#include <ctype.h>
#include <string.h>

/* The step without numbers and without the statements by which it names loops. */
static void add_form(struct text *form, const char *step)
{
    for (const char *at = step; *at; at++) {
        const char *point = at[0] == '"' ? at + 1 + strcspn(at + 1, ".\"") : NULL;

        if (point && *point == '.')
            at = point;
        if (!isdigit((unsigned char)*at))
            text_addf(form, "%c", *at);
    }
}

static bool is_of_loops(const char *step)
{
    return strncmp(step, "{\"cache\"", strlen("{\"cache\"")) != 0;
}

/* What the recipes would do first with the loops directly inside each other: equal texts are equal steps, whichever
 * statements and arrays they are for. */
static const char *form_of(const struct scene *scene, const struct nest_part *part)
{
    const struct option *option;
    struct scene trial = *scene;
    struct choice tried = {0};
    struct text form = {0};
    struct site site;
    const int n_given = scene->proposal->given.n;
    const char *copy;

    trial.size = -1;
    site_at(&trial, part, true, &site);
    site.choice = &tried;
    recipes_of_site(&site);
    scene->proposal->given.n = n_given;
    option = tried.option.n > 0 ? tried.option.at[0] : NULL;
    for (int k = 0; option && k < option->schedule.n; k++)
        add_form(&form, option->schedule.at[k]);
    for (int k = 0; option && k < option->plan.n; k++)
        if (is_of_loops(option->plan.at[k]))
            add_form(&form, option->plan.at[k]);
    copy = arena_copy(scene->arena, text_str(&form));
    text_free(&form);
    return copy;
}

/* How many loops are directly inside each other, with nothing but statements in the last one; 0: that is not so. */
static int chain_length(const struct scene *scene, const struct nest_part *part)
{
    struct site site;

    return part->loop && site_at(scene, part, false, &site) ? site.n : 0;
}

static bool is_cut(const cut_vec *cuts, const struct statement *after, int depth)
{
    for (int k = 0; k < cuts->n; k++)
        if (cuts->at[k].after == after && cuts->at[k].depth == depth)
            return true;
    return false;
}

/* Are they the same loops, which were cut between them? */
static bool were_one(const struct scene *scene, const struct nest_part *a, const struct nest_part *b,
                     const cut_vec *cuts)
{
    const int n = chain_length(scene, a);
    bool were = n > 0 && chain_length(scene, b) == n;

    for (int k = 0; were && k < n; k++)
        were = is_cut(cuts, part_last(a), a->depth + k);
    return were;
}

static struct nest_part *both(const struct scene *scene, const struct nest_part *a, const struct nest_part *b)
{
    struct nest_part *part = ARENA_NEW(scene->arena, struct nest_part);

    *part = *a;
    part->child = (part_vec){0};
    if (a->child.at[0]->loop) {
        VEC_PUSH(scene->arena, &part->child, both(scene, a->child.at[0], b->child.at[0]));
        return part;
    }
    for (int k = 0; k < a->child.n; k++)
        VEC_PUSH(scene->arena, &part->child, a->child.at[k]);
    for (int k = 0; k < b->child.n; k++)
        VEC_PUSH(scene->arena, &part->child, b->child.at[k]);
    return part;
}

static void drop_cuts(cut_vec *cuts, const struct statement *after)
{
    int n = 0;

    for (int k = 0; k < cuts->n; k++)
        if (cuts->at[k].after != after)
            cuts->at[n++] = cuts->at[k];
    cuts->n = n;
}

/* The two as one, or NULL. */
static struct nest_part *joined(const struct scene *scene, const struct nest_part *a, const struct nest_part *b,
                                cut_vec *cuts)
{
    struct nest_part *part;
    const char *form;

    if (!were_one(scene, a, b, cuts))
        return NULL;
    part = both(scene, a, b);
    form = form_of(scene, part);
    if (strcmp(form_of(scene, a), form) != 0 || strcmp(form_of(scene, b), form) != 0)
        return NULL;
    drop_cuts(cuts, part_last(a));
    return part;
}

part_vec join_parts(const struct scene *scene, const part_vec *parts, cut_vec *cuts)
{
    part_vec all = {0};

    for (int k = 0; k < parts->n; k++) {
        struct nest_part *part = parts->at[k], *one = NULL;

        if (k > 0)
            one = joined(scene, all.at[all.n - 1], part, cuts);
        if (one) {
            all.at[all.n - 1] = one;
            continue;
        }
        if (part->loop && chain_length(scene, part) == 0)
            part->child = join_parts(scene, &part->child, cuts);
        VEC_PUSH(scene->arena, &all, part);
    }
    return all;
}
