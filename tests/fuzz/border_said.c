/* What a message says: its rule, instances, elements and parameters, and which kind of refusal it is. */
#include "border.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A row of the table: kind, rule, word that judges it, a piece of the message. */
struct row {
    char kind[12], rule[24], judge[16], piece[160];
};

static struct row *row;
static int n_row;

bool said_table(const char *path)
{
    FILE *file = fopen(path, "r");
    char line[512];

    if (!file)
        return false;
    while (fgets(line, sizeof(line), file)) {
        struct row next = {0};
        if (line[0] == '#' ||
            sscanf(line, "%11s %23s %15s %159[^\n]", next.kind, next.rule, next.judge, next.piece) < 4)
            continue;
        row = realloc(row, (size_t)(n_row + 1) * sizeof(*row));
        row[n_row++] = next;
    }
    fclose(file);
    return n_row > 0;
}

static void classify(struct said *said)
{
    said->kind = "limit";
    for (int k = 0; k < n_row; k++)
        if (strcmp(row[k].rule, said->rule) == 0 &&
            (strcmp(row[k].piece, "*") == 0 || strstr(said->text, row[k].piece))) {
            said->kind = row[k].kind;
            said->judge = row[k].judge;
            return;
        }
}

/* "NAME[1, -2]" */
static const char *read_tuple(struct said *said, const char *name, const char *bracket)
{
    struct tuple *tuple = &said->tuple[said->n_tuple];
    const char *at = bracket + 1;
    char *end;

    tuple->n = 0;
    snprintf(tuple->name, sizeof(tuple->name), "%.*s", (int)(bracket - name), name);
    while (tuple->n < 8) {
        tuple->at[tuple->n++] = strtoll(at, &end, 10);
        if (end == at || (*end != ',' && *end != ']'))
            return bracket;
        at = end + 1;
        if (*end == ']')
            break;
    }
    said->n_tuple++;
    return at - 1;
}

static void read_tuples(struct said *said)
{
    const char *name = said->text;

    for (const char *at = said->text; *at && said->n_tuple < MAX_TUPLES; at++) {
        if (*at == '[' && at > name)
            at = read_tuple(said, name, at);
        if (!isalnum((unsigned char)*at) && *at != '_')
            name = at + 1;
    }
}

static void read_sizes(struct said *said)
{
    static const char *const name[] = {"N = ", "M = "};

    for (int k = 0; k < 2; k++) {
        const char *at = strstr(said->text, name[k]);
        said->has[k] = at != NULL;
        said->size[k] = at ? strtoll(at + 4, NULL, 10) : 0;
    }
}

/* The rule stands in brackets at the end of the error's line, in front of its code. */
static void read_rule(struct said *said, const char *line, int length)
{
    const char *open = line + length;

    while (open > line && *open != '[')
        open--;
    snprintf(said->rule, sizeof(said->rule), "%.*s", (int)strcspn(open + 1, "]"), open + 1);
}

void said_read(struct said *said, const char *diagnostics)
{
    int errors = 0;

    *said = (struct said){0};
    for (const char *line = diagnostics, *end; *line; line = end + (*end != 0)) {
        const int length = (int)strcspn(line, "\n");
        const char *error = strstr(line, "error: "), *note = strstr(line, "note: ");
        end = line + length;
        said->has_hint |= errors == 1 && strncmp(line, "      = hint: ", 14) == 0;
        if (error && error < end && errors++ == 0) {
            read_rule(said, line, length);
            said->has_place = error > line && isdigit((unsigned char)line[strcspn(line, ":") + 1]);
            note = error + 1;
        }
        if (errors == 1 && note && note < end) {
            const size_t used = strlen(said->text);
            snprintf(said->text + used, sizeof(said->text) - used, "%.*s\n", (int)(end - note - 6), note + 6);
        }
    }
    read_tuples(said);
    read_sizes(said);
    classify(said);
}

bool said_statement(const struct tuple *tuple)
{
    return tuple->name[0] == 'S' && isdigit((unsigned char)tuple->name[1]) &&
           (!tuple->name[2] || strcmp(tuple->name + 2, "_block") == 0);
}

/* "S0_block[i, 0]" is what the threads of a block make of S0 in iteration i: any of these. */
int said_event(const struct draft *draft, const struct trace *trace, const struct tuple *tuple)
{
    const bool block = tuple->name[2] != 0;
    const size_t n = (size_t)(tuple->n - block);

    for (int k = 0; k < trace->n && said_statement(tuple); k++) {
        const struct event *event = &trace->event[k];
        if (draft_label(draft, event->nest, event->line) == tuple->name[1] - '0' &&
            (block || event->depth == tuple->n) && memcmp(event->at, tuple->at, n * sizeof(tuple->at[0])) == 0)
            return k;
    }
    return -1;
}
