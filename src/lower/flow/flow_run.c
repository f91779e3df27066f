#include "lower/flow/flow_run.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 1 << 20 };

void flow_end(struct flow *flow, enum flow_end end, const char *format, ...)
{
    va_list args;

    if (flow->end != FLOW_GOES_ON)
        return;
    va_start(args, format);
    flow->end = end;
    flow->why = arena_vprintf(flow->arena, format, args);
    va_end(args);
}

bool flow_step(struct flow *flow, int64_t n)
{
    flow->steps -= n;
    if (flow->steps < 0)
        flow_end(flow, FLOW_SPENT, "no steps are left");
    return flow->end == FLOW_GOES_ON;
}

void flow_new_epoch(struct flow *flow, uint32_t launch, uint32_t block)
{
    VEC_PUSH(flow->arena, &flow->epoch, ((struct epoch){launch, block}));
}

int64_t flow_extent(struct flow *flow, const struct expr *expr)
{
    int64_t a, b;

    switch (expr->kind) {
    case EXPR_INT:
        return expr->integer;
    case EXPR_PARAM:
        for (int k = 0; k < flow->program->n_param; k++)
            if (strcmp(flow->program->param[k].name, expr->param->name) == 0)
                return flow->param[k];
        break;
    case EXPR_UNARY:
        return -flow_extent(flow, expr->arg[0]);
    case EXPR_CALL:
    case EXPR_BINARY:
        a = flow_extent(flow, expr->arg[0]);
        b = expr->n_arg > 1 ? flow_extent(flow, expr->arg[1]) : 0;
        if (expr->kind == EXPR_CALL && expr->function == FUNCTION_MIN)
            return a < b ? a : b;
        if (expr->kind == EXPR_CALL && expr->function == FUNCTION_MAX)
            return a > b ? a : b;
        if (expr->kind == EXPR_CALL)
            break;
        if (expr->op == OP_ADD || expr->op == OP_SUB)
            return expr->op == OP_ADD ? a + b : a - b;
        if (expr->op == OP_MUL)
            return a * b;
        if (b > 0 && (expr->op == OP_DIV || expr->op == OP_MOD)) {
            const int64_t floor = a / b - (a % b < 0);
            return expr->op == OP_DIV ? floor : a - b * floor;
        }
        break;
    default:
        break;
    }
    flow_end(flow, FLOW_DECLINED, "an extent of that form");
    return 0;
}

int flow_array(struct flow *flow, const struct array *array)
{
    const struct program *program = flow->program;

    if (array >= program->array && array < program->array + program->n_array)
        return (int)(array - program->array);
    for (int k = 0; k < program->n_array; k++)
        if (strcmp(program->array[k].name, array->name) == 0)
            return k;
    flow_end(flow, FLOW_DECLINED, "%s is no array of the program", array->name);
    return 0;
}

/* How many positions a stored dimension has. */
static int64_t room(const struct space *space, const struct stored_dim *digit)
{
    return digit->size ? digit->size : (space->extent[digit->dim] + digit->unit - 1) / digit->unit;
}

static int64_t blocked_size(const struct space *space)
{
    int64_t n = 1;

    for (int k = 0; k < space->array->n_digit; k++)
        n *= room(space, &space->array->digit[k]);
    return n;
}

static void set_strides(struct flow *flow, struct space *space)
{
    const struct array *array = space->array;
    int64_t dense = 1, last = space->offset;
    bool empty = false;

    for (int k = array->n_dim - 1; k >= 0; k--) {
        const int dim = array->stride || !array->dim_order ? k : array->dim_order[k];
        space->stride[dim] = array->stride ? flow_extent(flow, array->stride[dim]) : dense;
        dense *= space->extent[dim];
        last += space->stride[dim] > 0 ? (space->extent[dim] - 1) * space->stride[dim] : 0;
        empty = empty || space->extent[dim] <= 0;
    }
    space->n = empty ? 0 : array->digit ? blocked_size(space) : last + 1;
}

int flow_fragment_rows(const struct fragment *fragment)
{
    return fragment->use == FRAGMENT_COLUMNS ? fragment->k : fragment->m;
}

int flow_fragment_columns(const struct fragment *fragment)
{
    return fragment->use == FRAGMENT_ROWS ? fragment->k : fragment->n;
}

/* Each element is a tile. */
static void set_tiles(struct space *space)
{
    const int size = flow_fragment_rows(space->array->fragment) * flow_fragment_columns(space->array->fragment);

    space->columns = flow_fragment_columns(space->array->fragment);
    for (int k = 0; k < space->array->n_dim; k++)
        space->stride[k] *= size;
    space->n *= size;
}

struct space flow_space(struct flow *flow, const struct array *array, int level)
{
    struct space space = {.array = array, .level = level, .generation = 1};

    space.extent = ARENA_ARRAY(flow->arena, array->n_dim + 1, int64_t);
    space.stride = ARENA_ARRAY(flow->arena, array->n_dim + 1, int64_t);
    space.offset = array->offset ? flow_extent(flow, array->offset) : 0;
    for (int k = 0; k < array->n_dim; k++)
        space.extent[k] = flow_extent(flow, array->shape[k]);
    set_strides(flow, &space);
    if (array->fragment)
        set_tiles(&space);
    if (space.n < 0 || space.n > MOST_ELEMENTS)
        flow_end(flow, FLOW_SPENT, "%s has too many elements", array->name);
    return space;
}

void flow_renew(struct space *space)
{
    space->generation++;
}

void flow_begin(struct flow *flow, struct arena *arena, const struct program *program, const int64_t *param,
                int64_t steps)
{
    *flow = (struct flow){.arena = arena, .program = program, .param = param, .steps = steps};
    flow->algebra = (struct algebra){.arena = arena, .permit = program->permit};
    for (int k = 0; k < program->n_nest; k++)
        flow->algebra.permit |= program->nest[k].permit;
    flow->space = ARENA_ARRAY(arena, program->n_array + 1, struct space);
    for (int k = 0; k < program->n_array; k++)
        flow->space[k] = flow_space(flow, &program->array[k], 0);
    flow_new_epoch(flow, 0, 0);
}

int64_t flow_position_in(const struct space *space, const int64_t *index)
{
    const struct array *array = space->array;
    int64_t position = space->offset, blocked = 0;

    for (int k = 0; k < array->n_dim; k++) {
        if (index[k] < 0 || index[k] >= space->extent[k])
            return -1;
        position += index[k] * space->stride[k];
    }
    for (int k = 0; array->digit && k < array->n_digit; k++) {
        const struct stored_dim *digit = &array->digit[k];
        const int64_t own = index[digit->dim] / digit->unit;
        blocked = blocked * room(space, digit) + (digit->size ? own % digit->size : own);
    }
    return array->digit ? blocked : position;
}

static struct term datum(const struct algebra *algebra, const struct array *array, int64_t at)
{
    const int size = array->type == TYPE_BOOL ? 1 : type_bits(array->type) / 8;
    uint64_t raw = 0;
    float single;
    double real;

    memcpy(&raw, array->data + at * size, (size_t)size);
    if (array->type == TYPE_F32) {
        memcpy(&single, &raw, sizeof(single));
        return flow_term_real(TYPE_F32, single);
    }
    memcpy(&real, &raw, sizeof(real));
    if (array->type == TYPE_F64)
        return flow_term_real(TYPE_F64, real);
    if (type_is_float(array->type))
        return flow_term_leaf(algebra, array->type, "", (int64_t)raw);
    return flow_term_convert(NULL, array->type, flow_term_number((int64_t)raw));
}

/* Of a const array, whose data are in row-major order of its subscripts: the number there of the element at the
 * position; negative: there is none. */
static int64_t number_of(const struct space *space, int64_t position)
{
    int64_t index[16] = {0}, n = 1;

    for (int k = 0; k < space->array->n_dim && k < 16; k++)
        n *= space->extent[k];
    for (int64_t number = 0; number < n; number++) {
        int64_t rest = number;
        for (int k = space->array->n_dim - 1; k >= 0; rest /= space->extent[k--])
            index[k] = rest % space->extent[k];
        if (flow_position_in(space, index) == position)
            return number;
    }
    return -1;
}

static bool dense_in_order(const struct array *array)
{
    return !array->stride && !array->digit && !array->dim_order;
}

/* What an element of that array holds before anything is written. */
static struct term first_term(struct flow *flow, const struct space *space, int64_t position)
{
    const struct array *array = space->array;

    if (array->data) {
        const int64_t at = dense_in_order(array) ? position : number_of(space, position);
        return at < 0 ? flow_term_poison() : datum(&flow->algebra, array, at);
    }
    if (array->role == ROLE_TEMP)
        return array->init_zero ? flow_term_number(0) : flow_term_poison();
    for (int k = 0; k < flow->n_given; k++)
        if (strcmp(flow->given[k].name, array->name) == 0 && position < flow->given[k].n)
            return flow_term_number(flow->given[k].number[position]);
    return flow_term_leaf(&flow->algebra, array->type, array->name, position);
}

static void make_cells(struct flow *flow, struct space *space)
{
    space->cell = calloc((size_t)space->n + 1, sizeof(*space->cell));
    if (!space->cell)
        flow_end(flow, FLOW_SPENT, "no memory");
    else
        VEC_PUSH(flow->arena, &flow->cells, (void *)space->cell);
}

void flow_free(struct flow *flow)
{
    for (int k = 0; k < flow->cells.n; k++)
        free(flow->cells.at[k]);
}

/* The element there; NULL: there is none, and the run has ended. */
static struct cell *cell_at(struct flow *flow, struct space *space, int64_t position)
{
    if (position < 0 || position >= space->n) {
        flow_end(flow, FLOW_WRONG, "%s is accessed at position %lld, of %lld elements", space->array->name,
                 (long long)position, (long long)space->n);
        return NULL;
    }
    if (!space->cell)
        make_cells(flow, space);
    if (!space->cell)
        return NULL;
    struct cell *cell = &space->cell[position];
    if (cell->generation != space->generation)
        *cell = (struct cell){.term = first_term(flow, space, position), .generation = space->generation};
    return cell;
}

static bool other_block(const struct flow *flow, struct moment a, struct moment b)
{
    const struct epoch *x = &flow->epoch.at[a.epoch], *y = &flow->epoch.at[b.epoch];

    return x->launch != 0 && x->launch == y->launch && (x->block != y->block || a.thread == THREAD_MANY_BLOCKS);
}

/* The doacross loop that both are iterations of, or NULL. */
static const struct doacross *doacross_of(const struct flow *flow, struct moment a, struct moment b)
{
    for (int k = flow->doacross.n - 1; k >= 0; k--) {
        const struct doacross *all = &flow->doacross.at[k];
        const int64_t end = all->first + all->outer * all->inner;
        if (a.thread >= all->first && a.thread < end && b.thread >= all->first && b.thread < end)
            return all;
    }
    return NULL;
}

/* The first iteration of the doacross loop that is ordered after both. */
static uint32_t after_both(const struct doacross *all, struct moment a, struct moment b)
{
    const int64_t x = a.thread - all->first, y = b.thread - all->first;
    const int64_t k = x / all->inner > y / all->inner ? x / all->inner : y / all->inner;
    const int64_t m = x % all->inner > y % all->inner ? x % all->inner : y % all->inner;

    return (uint32_t)(all->first + k * all->inner + m);
}

/* Of one epoch: does an iteration of a doacross loop wait for the access before? */
static bool waits_for(const struct flow *flow, struct moment before, struct moment now)
{
    const struct doacross *all = doacross_of(flow, before, now);

    return all && after_both(all, before, now) == now.thread;
}

/* Has the access before no order with this one? */
static bool unordered(const struct flow *flow, struct moment before, struct moment now)
{
    if (before.thread == 0 && before.epoch == 0)
        return false;
    if (before.epoch == now.epoch && before.thread != now.thread)
        return !waits_for(flow, before, now);
    return other_block(flow, before, now);
}

static void race(struct flow *flow, const struct space *space, int64_t position, const struct cell *cell,
                 const char *what)
{
    flow_end(flow, FLOW_WRONG, "race: %s at position %lld is %s by two threads that nothing orders%s%s",
             space->array->name, (long long)position, what, cell->writer ? "; written last by " : "",
             cell->writer ? cell->writer->label : "");
}

static bool both_atomic(struct moment a, struct moment b)
{
    return a.atomic && b.atomic;
}

/* The accesses so far and this one. */
static struct moment joined(const struct flow *flow, struct moment before, struct moment now)
{
    const bool elsewhere = other_block(flow, before, now);
    struct moment both = now;

    if ((before.epoch == 0 && before.thread == 0) || (before.epoch != now.epoch && !elsewhere))
        return now;
    if (elsewhere || before.thread != now.thread) {
        const struct doacross *all = elsewhere ? NULL : doacross_of(flow, before, now);
        both.thread = elsewhere ? THREAD_MANY_BLOCKS : all ? after_both(all, before, now) : THREAD_MANY;
    }
    both.atomic = both_atomic(before, now);
    return both;
}

struct term flow_read(struct flow *flow, struct space *space, int64_t position, struct moment moment, int level)
{
    struct cell *cell = flow_step(flow, 1) ? cell_at(flow, space, position) : NULL;

    if (!cell)
        return flow_term_poison();
    if (space->level < level) {
        if (unordered(flow, cell->written, moment) && !both_atomic(cell->written, moment))
            race(flow, space, position, cell, "written and read");
        cell->read = joined(flow, cell->read, moment);
    }
    return cell->term;
}

void flow_write(struct flow *flow, struct space *space, int64_t position, struct term term, struct moment moment,
                int level)
{
    struct cell *cell = flow_step(flow, 1) ? cell_at(flow, space, position) : NULL;

    if (!cell)
        return;
    if (space->array->role == ROLE_IN || space->array->role == ROLE_CONST)
        flow_end(flow, FLOW_WRONG, "%s is written", space->array->name);
    if (space->level < level) {
        if (unordered(flow, cell->written, moment) && !both_atomic(cell->written, moment))
            race(flow, space, position, cell, "written");
        if (unordered(flow, cell->read, moment) && !both_atomic(cell->read, moment))
            race(flow, space, position, cell, "read and written");
        cell->written = joined(flow, cell->written, moment);
    }
    cell->term = flow_term_convert(&flow->algebra, space->array->type, term);
    cell->writer = flow->statement;
}

struct term flow_look(struct flow *flow, const struct space *space, int64_t position)
{
    if (!space->cell || space->cell[position].generation != space->generation)
        return first_term(flow, space, position);
    return space->cell[position].term;
}
