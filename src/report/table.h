/* Lines in columns: each column as wide as its widest cell. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"

enum { TABLE_COLUMNS = 8 };

struct table_row {
    const char *cell[TABLE_COLUMNS];
    int n;
};

struct table {
    struct arena *arena;
    VEC(struct table_row) row;
};

/* Starts a row. */
void table_row(struct table *table);
/* The next cell of the last row: the text, which is freed. */
void table_cell(struct table *table, struct text *text);
void table_print(const struct table *table, int indent, struct text *out);

#endif
