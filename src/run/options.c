#include "run/options.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct row {
    const char *key;
    enum { NUMBER, TEXT, FLAG } kind;
    size_t member;
    int64_t value, least; /* of a number: the default, and the smallest one */
};

#define MEMBER(name) offsetof(struct run_options, name)

static const struct row rows[] = {
    {"compiler", TEXT, MEMBER(compiler), 0, 0},  {"flags", TEXT, MEMBER(flags), 0, 0},
    {"seed", NUMBER, MEMBER(seed), 1, 0},        {"runs", NUMBER, MEMBER(runs), 6, 1},
    {"timeout", NUMBER, MEMBER(timeout), 60, 1}, {"threads", NUMBER, MEMBER(threads), 0, 0},
    {"json", FLAG, MEMBER(json), 0, 0},          {"log", TEXT, MEMBER(log), 0, 0},
    {"report", TEXT, MEMBER(page), 0, 0},        {"plan", TEXT, MEMBER(plan), 0, 0},
    {"only", TEXT, MEMBER(only), 0, 0},          {"merge", TEXT, MEMBER(merge), 0, 0},
    {"command", TEXT, MEMBER(command), 0, 0},    {"from", TEXT, MEMBER(from), 0, 0},
    {"trials", NUMBER, MEMBER(trials), 0, 1},    {"time", NUMBER, MEMBER(time), 60, 1},
    {"jobs", NUMBER, MEMBER(jobs), 1, 1},
};

enum { N_ROW = (int)(sizeof(rows) / sizeof(rows[0])) };

static char **text_member(struct run_options *options, const struct row *row)
{
    return (char **)(void *)((char *)options + row->member);
}

static int64_t *number_member(struct run_options *options, const struct row *row)
{
    return (int64_t *)(void *)((char *)options + row->member);
}

static char *copy(const char *text)
{
    char *copied = text ? strdup(text) : NULL;

    if (text && !copied)
        abort();
    return copied;
}

void run_options_init(struct run_options *options)
{
    *options = (struct run_options){0};
    for (int k = 0; k < N_ROW; k++)
        if (rows[k].kind == NUMBER)
            *number_member(options, &rows[k]) = rows[k].value;
}

void run_options_free(struct run_options *options)
{
    for (int k = 0; k < N_ROW; k++)
        if (rows[k].kind == TEXT) {
            free(*text_member(options, &rows[k]));
            *text_member(options, &rows[k]) = NULL;
        }
}

struct run_options run_options_copy(const struct run_options *options)
{
    struct run_options copied = *options;

    for (int k = 0; k < N_ROW; k++)
        if (rows[k].kind == TEXT)
            *text_member(&copied, &rows[k]) = copy(*text_member(&copied, &rows[k]));
    return copied;
}

static bool set_number(int64_t *member, const char *value, int64_t least)
{
    char *end;

    errno = 0;
    const int64_t number = strtoll(value, &end, 10);
    if (errno != 0 || end == value || *end != '\0' || number < least || number > INT32_MAX)
        return false;
    *member = number;
    return true;
}

static bool set_flag(bool *member, const char *value)
{
    *member = strcmp(value, "1") == 0;
    return *member || strcmp(value, "0") == 0;
}

bool run_options_set(struct run_options *options, const char *key, const char *value)
{
    for (int k = 0; k < N_ROW; k++) {
        if (strcmp(rows[k].key, key) != 0)
            continue;
        if (rows[k].kind == FLAG)
            return set_flag((bool *)(void *)((char *)options + rows[k].member), value);
        if (rows[k].kind == NUMBER)
            return set_number(number_member(options, &rows[k]), value, rows[k].least);
        free(*text_member(options, &rows[k]));
        *text_member(options, &rows[k]) = copy(value);
        return true;
    }
    return false;
}

bool run_stopped(const struct run_options *options)
{
    return options->stop && *options->stop != 0;
}

const char *run_compiler(const struct run_options *options)
{
    const char *variable = getenv("CC");

    return options->compiler ? options->compiler : variable && *variable ? variable : "cc";
}
