/* Which of a region's references share a buffer.
 *
 * Two groups become one where their common box is hardly larger than both (overlapping tiles, halos, neighbours), or
 * where one writes what may be an element of the other: two copies of one element would drift apart.
 */
#include "plan/cache/region.h"
#include "poly/coalesce.h"

#include <string.h>

enum { MAX_REFERENCES = 64 };

/* Elements of a box: product of the constant sizes, and how many dimensions are as long as the array's own. */
struct volume {
    int whole;
    double elements;
};

struct cluster {
    isl_map *touched; /* { [c, m] -> A[a] } */
    bool written;
    bool measured; /* volume is known: it is dear, and a group that is alone needs none */
    struct volume volume;
};

struct grouping {
    const struct region *region;
    struct cluster group[MAX_REFERENCES];
    int of[MAX_REFERENCES]; /* reference to group; a group that was merged into another is NULL there */
    int n;
    int clash; /* a reference that needs the whole array as its buffer, of group clash_group; -1: none */
    int clash_group;
};

static struct volume volume_of(const struct region *region, __isl_keep isl_map *touched)
{
    struct volume volume = {0, 1};

    for (int d = 0; d < region->array->n_dim; d++) {
        isl_map *one = box_dimension(touched, d);
        struct box box = box_measure_strided(one);
        if (box.size > 0)
            volume.elements *= (double)box.size;
        else
            volume.whole++;
        box_release(&box);
        isl_map_free(one);
    }
    return volume;
}

static const struct volume *measured(const struct region *region, struct cluster *cluster)
{
    if (!cluster->measured)
        cluster->volume = volume_of(region, cluster->touched);
    cluster->measured = true;
    return &cluster->volume;
}

static bool is_hardly_larger(const struct volume *both, const struct volume *a, const struct volume *b)
{
    double apart = 0;

    if (a->whole == both->whole)
        apart += a->elements;
    if (b->whole == both->whole)
        apart += b->elements;
    return both->elements <= apart;
}

static bool may_meet(const struct cluster *a, const struct cluster *b)
{
    isl_map *common;
    bool meet;

    if (!a->written && !b->written)
        return false;
    common = isl_map_intersect(isl_map_copy(a->touched), isl_map_copy(b->touched));
    meet = isl_map_is_empty(common) != isl_bool_true;
    isl_map_free(common);
    return meet;
}

/* Group b becomes part of group a, which then touches both. */
static void join(struct grouping *grouping, int a, int b, __isl_take isl_map *both)
{
    struct cluster *to = &grouping->group[a], *from = &grouping->group[b];

    for (int k = 0; k < grouping->n; k++)
        grouping->of[k] = grouping->of[k] == b ? a : grouping->of[k];
    isl_map_free(to->touched);
    isl_map_free(from->touched);
    to->touched = both;
    to->written = to->written || from->written;
    from->touched = NULL;
    if (grouping->clash_group == b)
        grouping->clash_group = a;
}

/* Does a buffer for both take the whole array in a dimension where neither of the two does? */
static bool is_wider(const struct volume *both, const struct volume *a, const struct volume *b)
{
    return both->whole > a->whole && both->whole > b->whole;
}

/* Where only what is written has a buffer, the rest is no part of it for lying beside it. */
static bool may_be_close(const struct grouping *grouping, const struct cluster *a, const struct cluster *b)
{
    return !grouping->region->options.only_written || a->written == b->written;
}

/* Joins groups a and b if they belong together. */
static bool merge(struct grouping *grouping, int a, int b)
{
    struct cluster *to = &grouping->group[a], *from = &grouping->group[b];
    const struct volume *first, *second;
    struct cluster both = {.written = to->written || from->written};

    if (isl_map_plain_is_equal(to->touched, from->touched) == isl_bool_true) {
        join(grouping, a, b, isl_map_copy(to->touched));
        return true;
    }
    both.touched = poly_map_coalesce(isl_map_union(isl_map_copy(to->touched), isl_map_copy(from->touched)));
    first = measured(grouping->region, to);
    second = measured(grouping->region, from);
    measured(grouping->region, &both);
    if (!(may_be_close(grouping, to, from) && is_hardly_larger(&both.volume, first, second)) && !may_meet(to, from)) {
        isl_map_free(both.touched);
        return false;
    }
    for (int k = 0; k < grouping->n && is_wider(&both.volume, first, second); k++)
        if (grouping->of[k] == b) {
            grouping->clash = k;
            grouping->clash_group = a;
        }
    join(grouping, a, b, both.touched);
    to->volume = both.volume;
    return true;
}

static bool merge_any(struct grouping *grouping)
{
    for (int a = 0; a < grouping->n; a++)
        for (int b = a + 1; b < grouping->n; b++)
            if (grouping->group[a].touched && grouping->group[b].touched && merge(grouping, a, b))
                return true;
    return false;
}

static void find_groups(struct grouping *grouping, const struct region *region)
{
    memset(grouping, 0, sizeof(*grouping));
    grouping->region = region;
    grouping->n = region->list.n < MAX_REFERENCES ? region->list.n : MAX_REFERENCES;
    grouping->clash = grouping->clash_group = -1;
    for (int k = 0; k < grouping->n; k++) {
        isl_map *touched =
            isl_map_intersect_params(region_touched(region, k), isl_set_copy(region->schedule->program->context));
        touched = poly_map_coalesce(touched);
        grouping->group[k] = (struct cluster){.touched = touched, .written = region_access(region, k)->write};
        grouping->of[k] = k;
    }
    while (merge_any(grouping))
        ;
}

static void release_groups(struct grouping *grouping)
{
    for (int k = 0; k < grouping->n; k++)
        isl_map_free(grouping->group[k].touched);
}

/* The number in the grouping of the g-th group. */
static int number_of(const struct grouping *grouping, int g)
{
    int k = 0;

    for (; k < grouping->n; k++)
        if (grouping->group[k].touched && g-- == 0)
            break;
    return k;
}

int region_groups(const struct region *region)
{
    struct grouping grouping;
    int n = 0;

    find_groups(&grouping, region);
    for (int k = 0; k < grouping.n; k++)
        n += grouping.group[k].touched != NULL;
    release_groups(&grouping);
    return n;
}

static enum status refuse_clash(const struct region *region, int k)
{
    return edit_refuse(region->schedule, region_access(region, k)->expr->place, "cache",
                       "cache at a loop further out, or inside",
                       "%s may touch elements of `%s` here that another reference has in a buffer far from it: one "
                       "buffer for both would be as large as the array",
                       region_statement(region, k)->label, region->array->name);
}

static void keep_group(struct region *region, const struct grouping *grouping, int number)
{
    int n = 0;

    region->written = grouping->group[number].written;
    for (int k = 0; k < grouping->n; k++)
        if (grouping->of[k] == number)
            region->list.at[n++] = region->list.at[k];
    region->list.n = n;
}

enum status region_take_group(struct region *region, int g)
{
    struct grouping grouping;
    int number;

    if (region->list.n > MAX_REFERENCES)
        return edit_refuse(region->schedule, region->step->place, "cache", NULL, "there are more than %d references",
                           MAX_REFERENCES);
    find_groups(&grouping, region);
    number = number_of(&grouping, g);
    if (grouping.clash_group == number) {
        release_groups(&grouping);
        return refuse_clash(region, grouping.clash);
    }
    keep_group(region, &grouping, number);
    release_groups(&grouping);
    return region_settle_trigger(region);
}
