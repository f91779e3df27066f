#include "plan/cache/copying.h"

#include "plan/loop_plan.h"
#include "program/expr/affine.h"
#include "sched/time.h"

enum { MOST_WRITTEN_OUT = 8 };

/* The coarser part of the same axis, if there is one; infos[k] belongs to digit k. */
static int coarser_id(const struct buffer *buffer, struct loop_info *const *info, const struct digit *digit)
{
    const int64_t unit = digit_coarser(buffer, digit);

    for (int k = 0; k < buffer->n_digit; k++)
        if (unit && buffer->digit[k].axis == digit->axis && buffer->digit[k].unit == unit)
            return info[k]->id;
    return 0;
}

/* The first count of a loop between, when the digit's loop can show the values that the loop has; 0 elsewhere. */
static bool shows_values(const struct buffer *buffer, const struct digit *digit, int64_t *first)
{
    *first = 0;
    return digit->axis < 0 && aff_constant(buffer->between[-1 - digit->axis].offset, first);
}

/* Is it a loop over few registers that no loop uses, such as the two parts of complex numbers? It is written out. */
static bool is_written_out(const struct buffer *buffer, const struct digit *digit)
{
    int64_t size = digit->size;

    return buffer->options.in_registers && !digit->driver && digit->axis >= 0 &&
           (size > 0 || (digit->extent && expr_constant(digit->extent, &size))) && size <= MOST_WRITTEN_OUT;
}

static struct loop_info digit_info(const struct buffer *buffer, const struct digit *digit)
{
    struct loop_info info = {.stride = digit->unit, .unit = 1, .pieces = digit->unit > 1};
    struct loop_plan *plan;
    int64_t first;

    if (buffer->options.follows && digit->driver) {
        info.follows = digit->driver->id;
        info.plan = digit->driver->plan;
    } else if (is_written_out(buffer, digit)) {
        plan = ARENA_NEW(buffer->schedule->arena, struct loop_plan);
        plan->unroll = UNROLL_FULL;
        info.plan = plan;
    }
    if (shows_values(buffer, digit, &first)) {
        const struct loop_info *like = buffer->path.loop[buffer->n_outside - 1 - digit->axis]->info;
        info.stride = like->stride;
        info.offset = like->offset;
        info.pieces = like->pieces;
    }
    return info;
}

static __isl_give isl_union_pw_aff *digit_time(const struct copies *copies, const struct statement *statement, int k)
{
    int64_t first;

    shows_values(copies->buffer, &copies->buffer->digit[k], &first);
    return time_add_constant(path_dimension(statement->domain, copies_depth(copies) + k), first);
}

/* "fill Bp[kk][jj] from B" */
static const char *comment(const struct copies *copies, const struct statement *statement)
{
    const struct buffer *buffer = copies->buffer;
    struct arena *arena = copies->schedule->arena;
    const char *text = copies->name;

    for (int k = 0; k < buffer->n_digit; k++)
        text = arena_printf(arena, "%s[%s]", text, buffer->digit[k].name);
    return statement == copies->fill ? arena_printf(arena, "fill %s from %s", text, buffer->array->name)
                                     : arena_printf(arena, "flush %s to %s", text, buffer->array->name);
}

/* One copy for an iteration of the loops outside: a loop for each dimension of the buffer. */
static const struct order *copy_loops(const struct copies *copies, const struct statement *statement)
{
    const struct buffer *buffer = copies->buffer;
    const struct order *order = order_leaf(copies->schedule->arena, statement, isl_set_copy(statement->domain));
    struct loop_info *info[BUFFER_MAX_DIGIT];

    for (int k = 0; k < buffer->n_digit; k++) {
        struct loop_info like = digit_info(buffer, &buffer->digit[k]);
        like.is_copy = !copies->nests;
        like.comment = k == 0 ? comment(copies, statement) : NULL;
        info[k] = edit_new_info(copies->schedule, &like, buffer->digit[k].name, buffer->step);
    }
    for (int k = buffer->n_digit - 1; k >= 0; k--) {
        info[k]->outer = coarser_id(buffer, info, &buffer->digit[k]);
        order = order_loop(copies->schedule->arena, info[k], digit_time(copies, statement, k), order);
    }
    return order;
}

static const struct order *around(const struct copies *copies, const struct order *order)
{
    const struct order *part[3];
    int n = 0;

    if (copies->fill)
        part[n++] = copy_loops(copies, copies->fill);
    part[n++] = order;
    if (copies->flush)
        part[n++] = copy_loops(copies, copies->flush);
    return order_sequence(copies->schedule->arena, part, n);
}

static __isl_give isl_union_pw_aff *with_copies(const struct copies *copies, const struct order *loop, int k)
{
    const struct statement *const copy[] = {copies->fill, copies->flush};
    isl_union_pw_aff *time = isl_union_pw_aff_copy(loop->time);

    for (int s = 0; s < 2; s++)
        if (copy[s])
            time = isl_union_pw_aff_union_add(time, path_dimension(copy[s]->domain, k));
    return time;
}

/* The loop before which copies run. */
static const struct order *place_of(const struct copies *copies)
{
    const struct region *region = copies->region;

    return region->trigger ? region->trigger : region->loop;
}

/* order, from loop k of those outside down, with the copies around the region. */
static const struct order *insert(const struct copies *copies, const struct order *order, int k)
{
    struct arena *arena = copies->schedule->arena;
    const struct order **child;
    const struct order *body;

    if (order == place_of(copies))
        return around(copies, order);
    if (order->kind == ORDER_LEAF)
        return order;
    if (order->kind == ORDER_SEQUENCE) {
        child = ARENA_ARRAY(arena, order->n_child, const struct order *);
        for (int c = 0; c < order->n_child; c++)
            child[c] = insert(copies, order->child[c], k);
        return order_sequence(arena, child, order->n_child);
    }
    if (k == copies_depth(copies) || order != copies->buffer->path.loop[k])
        return order;
    body = insert(copies, order->child[0], k + 1);
    return order_loop(arena, order->info, with_copies(copies, order, k), body);
}

const struct order *copies_arrange(const struct copies *copies, const struct order *order)
{
    return insert(copies, order, 0);
}

static bool uses_buffer(const struct copies *copies, const struct order *order)
{
    for (int k = 0; k < copies->region->list.n; k++)
        if (order_has(order, region_statement(copies->region, k)))
            return true;
    return false;
}

static const struct order *beside(const struct copies *copies, const struct order *order, const struct order *fill,
                                  const struct order *flush);

/* The children with fill before the first and flush after the last that uses the buffer. */
static const struct order *among(const struct copies *copies, const struct order *order, const struct order *fill,
                                 const struct order *flush)
{
    const struct order **child = ARENA_ARRAY(copies->schedule->arena, order->n_child + 2, const struct order *);
    int first = order->n_child, last = 0, n = 0;

    for (int k = 0; k < order->n_child; k++)
        if (uses_buffer(copies, order->child[k])) {
            first = k < first ? k : first;
            last = k;
        }
    for (int k = 0; k < order->n_child; k++) {
        if (k == first && fill && first != last)
            child[n++] = fill;
        child[n++] = k == first && first == last ? beside(copies, order->child[k], fill, flush) : order->child[k];
        if (k == last && flush && first != last)
            child[n++] = flush;
    }
    return order_sequence(copies->schedule->arena, child, n);
}

static const struct order *beside(const struct copies *copies, const struct order *order, const struct order *fill,
                                  const struct order *flush)
{
    const struct order *part[3];
    int n = 0;

    if (order->kind == ORDER_SEQUENCE)
        return among(copies, order, fill, flush);
    if (fill)
        part[n++] = fill;
    part[n++] = order;
    if (flush)
        part[n++] = flush;
    return order_sequence(copies->schedule->arena, part, n);
}

void copies_arrange_nests(const struct copies *copies, const struct order **order, const struct order **original)
{
    const struct order *fill = copies->fill ? copy_loops(copies, copies->fill) : NULL;
    const struct order *flush = copies->flush ? copy_loops(copies, copies->flush) : NULL;

    *order = beside(copies, *order, fill, flush);
    *original = beside(copies, *original, fill, flush);
}
