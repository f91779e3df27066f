#include "report/table.h"

void table_row(struct table *table)
{
    VEC_PUSH(table->arena, &table->row, ((struct table_row){.n = 0}));
}

void table_cell(struct table *table, struct text *text)
{
    struct table_row *row = &table->row.at[table->row.n - 1];

    row->cell[row->n++] = arena_copy(table->arena, text_str(text));
    text_free(text);
}

static int width(const struct table *table, int column)
{
    int widest = 0;

    for (int k = 0; k < table->row.n; k++) {
        const struct table_row *row = &table->row.at[k];
        const int size = column < row->n ? (int)strlen(row->cell[column]) : 0;
        widest = size > widest ? size : widest;
    }
    return widest;
}

static int filled(const struct table_row *row)
{
    int n = row->n;

    while (n > 0 && row->cell[n - 1][0] == '\0')
        n--;
    return n;
}

void table_print(const struct table *table, int indent, struct text *out)
{
    for (int k = 0; k < table->row.n; k++) {
        const struct table_row *row = &table->row.at[k];
        const int n = filled(row);
        text_addf(out, "%*s", indent, "");
        for (int column = 0; column < n; column++)
            text_addf(out, "%-*s%s", column + 1 < n ? width(table, column) : 0, row->cell[column],
                      column + 1 < n ? "  " : "\n");
    }
}
