#include "read/format/parts.h"

#include <string.h>

/* Cells of one column, a mark each. */
struct column {
    struct mark **mark;
    int n;
    bool to_right; /* they end in one column instead of starting in one */
};

/* Blanks that are put into the line in front of the mark. */
static int shift(const struct columns *columns, const struct mark *mark)
{
    int blanks = 0;

    for (const struct mark *other = mark; other > columns->mark.at && other[-1].line == mark->line; other--)
        blanks += other[-1].pad;
    return blanks;
}

/* Where a cell stands, at its left or right end. */
static int edge(const struct columns *columns, const struct column *column, const struct mark *mark)
{
    return mark->column + shift(columns, mark) + (column->to_right ? mark->width : 0);
}

static bool fits(const struct columns *columns, const struct mark *mark, int pad)
{
    const int width = columns->width.at[mark->line] + shift(columns, mark);

    return mark->comment || pad == 0 || columns->width.at[mark->line] > FORMAT_LIMIT || width + pad <= FORMAT_LIMIT;
}

static void line_up(struct columns *columns, const struct column *column)
{
    bool wanted = false, fit = column->n > 1;
    int farthest = 0;

    for (int k = 0; k < column->n; k++) {
        const int at = edge(columns, column, column->mark[k]);

        farthest = at > farthest ? at : farthest;
        wanted = wanted || column->mark[k]->wanted;
    }
    for (int k = 0; k < column->n; k++)
        fit = fit && fits(columns, column->mark[k], farthest - edge(columns, column, column->mark[k]));
    for (int k = 0; wanted && fit && k < column->n; k++)
        column->mark[k]->pad = farthest - edge(columns, column, column->mark[k]);
}

static bool is_number(const struct item *item)
{
    return item->kind == ITEM_PLAIN && (*item->text == '-' || (*item->text >= '0' && *item->text <= '9'));
}

/* Do both rows have a cell of that number, and the same keys up to it? */
static bool agree(const struct row *a, const struct row *b, int cell)
{
    if (a->n <= cell || b->n <= cell || a->item->kind != b->item->kind)
        return false;
    for (int k = 0; a->item->kind == ITEM_OBJECT && k <= cell; k++) {
        const struct item *one = a->item->item.at[k], *other = b->item->item.at[k];

        if (one->key_size != other->key_size || memcmp(one->key, other->key, one->key_size) != 0)
            return false;
    }
    return true;
}

/* Lines up one column; returns how many of the rows it has. mark has room for n of them. */
static int line_up_cells(struct columns *columns, const struct row *row, int n, int cell, struct mark **mark)
{
    struct column column = {.mark = mark, .to_right = true};

    do {
        const struct row *next = &row[column.n];

        column.mark[column.n++] = &columns->mark.at[next->first + cell];
        column.to_right = column.to_right && next->item->kind == ITEM_LIST && is_number(next->item->item.at[cell]);
    } while (column.n < n && !row[column.n].item->before.spaced && agree(row, &row[column.n], cell));
    if (cell > 0 || column.to_right)
        line_up(columns, &column);
    return column.n;
}

void format_rows(struct columns *columns, const struct row *row, int n)
{
    struct mark **mark = ARENA_ARRAY(columns->arena, n, struct mark *);
    int n_cell = 0;

    for (int k = 0; k < n; k++)
        n_cell = row[k].n > n_cell ? row[k].n : n_cell;
    for (int cell = 0; cell < n_cell; cell++)
        for (int k = 0; k < n;)
            k += row[k].n > cell ? line_up_cells(columns, &row[k], n - k, cell, mark) : 1;
}

void format_comments(struct columns *columns)
{
    struct column column = {.mark = ARENA_ARRAY(columns->arena, columns->mark.n, struct mark *)};

    for (int k = 0; k < columns->mark.n; k++) {
        struct mark *mark = &columns->mark.at[k];

        if (!mark->comment)
            continue;
        if (column.n && column.mark[column.n - 1]->line + 1 != mark->line) {
            line_up(columns, &column);
            column.n = 0;
        }
        column.mark[column.n++] = mark;
    }
    line_up(columns, &column);
}
