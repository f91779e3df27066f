/* Matrix instructions of a GPU. All threads of a warp run one together; the first of them does it, element by element.
 * Elements of an array of fragments are tiles. */
#include "lower/flow/flow_tree.h"

#include "tree/visit.h"

enum { WARP = 32 };

static const struct tree_expr *without_casts(const struct tree_expr *expr)
{
    while (expr->kind == TREE_CAST)
        expr = expr->arg[0];
    return expr;
}

/* Of a product: the factor that has the rows (0), or the columns (1). */
static const struct element *factor(const struct node *assign, int number)
{
    const struct tree_expr *product = node_added(assign);

    return &without_casts(product->arg[assign->tensor->swapped ? !number : number])->element;
}

int64_t flow_in_fragment(const struct thread *thread, const struct space *space)
{
    return thread->row * space->columns + thread->column;
}

/* The position of the tile's element in this row and column: in a fragment, or in memory. */
static int64_t position_in(struct thread *thread, const struct element *element, const struct tensor_tile *tile,
                           int row, int column, struct space **space)
{
    int64_t position, distance;

    thread->row = row;
    thread->column = column;
    position = flow_position(thread, element, NOT_IN_LANES, 0, space);
    if (!element->array->fragment) {
        distance = flow_affine(thread, tile->distance);
        position += tile->by_columns ? row + column * distance : row * distance + column;
    }
    return position;
}

static struct term load_in(struct thread *thread, const struct element *element, const struct tensor_tile *tile,
                           int row, int column)
{
    struct space *space;
    const int64_t position = position_in(thread, element, tile, row, column, &space);

    return flow_load(thread, space, position);
}

/* Row and column of the sums. */
static void multiply(struct thread *thread, const struct node *assign, int row, int column)
{
    const struct algebra *algebra = &thread->run->flow->algebra;
    const struct tensor *tensor = assign->tensor;
    const enum type type = assign->target.array->type;
    struct space *space;
    int64_t position = position_in(thread, &assign->target, &tensor->tile[0], row, column, &space);
    struct term sum = flow_load(thread, space, position);

    for (int k = 0; k < tensor->k && flow_step(thread->run->flow, 1); k++) {
        const struct term a = load_in(thread, factor(assign, 0), &tensor->tile[0], row, k);
        const struct term b = load_in(thread, factor(assign, 1), &tensor->tile[1], k, column);
        sum = flow_term_binary(algebra, OP_ADD, type, sum, flow_term_binary(algebra, OP_MUL, type, a, b));
    }
    flow_store(thread, space, position, sum);
}

static void move(struct thread *thread, const struct node *assign, int row, int column)
{
    const struct tensor_tile *tile = &assign->tensor->tile[0];
    const struct term term = load_in(thread, &without_casts(assign->value)->element, tile, row, column);
    struct space *space;
    const int64_t position = position_in(thread, &assign->target, tile, row, column, &space);

    flow_store(thread, space, position, term);
}

static void do_element(struct thread *thread, const struct node *assign, int row, int column)
{
    switch (assign->tensor->kind) {
    case TENSOR_MULTIPLY:
        multiply(thread, assign, row, column);
        break;
    case TENSOR_LOAD:
    case TENSOR_STORE:
        move(thread, assign, row, column);
        break;
    default:
        thread->row = row;
        thread->column = column;
        flow_assign_element(thread, assign);
    }
}

static void find_fragment(const struct tree_expr *expr, void *user)
{
    *(bool *)user |= expr->kind == TREE_LOAD && expr->element.array->fragment != NULL;
}

/* All elements get one value: it can neither update them nor be of another tile's. */
static void check_fill(struct thread *thread, const struct node *assign)
{
    bool of_elements = assign->op != OP_NONE;

    tree_expr_for_each(assign->value, find_fragment, &of_elements);
    if (of_elements)
        flow_end(thread->run->flow, FLOW_WRONG, "a tile is filled with a value for each element");
}

void flow_tensor(struct thread *thread, const struct node *assign)
{
    const struct array *array =
        assign->target.array->fragment ? assign->target.array : without_casts(assign->value)->element.array;
    const struct fragment *fragment = array ? array->fragment : NULL;

    if (!fragment) {
        flow_end(thread->run->flow, FLOW_DECLINED, "a matrix instruction without fragments");
        return;
    }
    if (assign->tensor->kind == TENSOR_FILL)
        check_fill(thread, assign);
    if (thread->number % WARP != 0)
        return;
    for (int row = 0; row < flow_fragment_rows(fragment); row++)
        for (int column = 0; column < flow_fragment_columns(fragment) && flow_step(thread->run->flow, 1); column++)
            do_element(thread, assign, row, column);
    thread->row = thread->column = 0;
}
