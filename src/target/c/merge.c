/* Functions that differ in numbers only, such as those for the remainders of a tile, become one that has the numbers as
 * parameters:
 *
 *     static void mm_ii_2(..)               static inline __attribute__((always_inline)) void mm_ii(int ii_n, ..)
 *     {                                     {
 *         for (int ii = 0; ii < 2; ii++)        for (int ii = 0; ii < ii_n; ii++)
 *
 * Every call gives constants, so that compilers make the same code of it as of the functions. They make a function of
 * their own of a parallel region, which gets no constants: what has one stays apart. */
#include "target/c/pattern.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARAMETERS = 4, MOST_UNROLLED = 64 /* templates/c/unroll.c */ };

/* Functions of one pattern. */
struct group {
    struct c_file *file;
    int *member; /* of file->function, ascending */
    int n;
    const struct c_pattern *pattern; /* of each function of the file */
    struct {
        const char *name;
        int number; /* of the pattern: its values */
    } parameter[MOST_PARAMETERS];
    int n_parameter;
};

static int value_of(const struct group *group, int k, int number)
{
    return group->pattern[group->member[k]].number.at[number].value;
}

static bool is_same_for_all(const struct group *group, int number)
{
    for (int k = 1; k < group->n; k++)
        if (value_of(group, k, number) != value_of(group, 0, number))
            return false;
    return true;
}

/* How a number follows from a parameter: (parameter * factor) / divisor + offset. */
struct relation {
    int factor, divisor, offset;
};

static bool holds(const struct group *group, int number, int parameter, const struct relation *relation)
{
    for (int k = 0; k < group->n; k++) {
        const int of = value_of(group, k, parameter) * relation->factor;
        if (of % relation->divisor || of / relation->divisor + relation->offset != value_of(group, k, number))
            return false;
    }
    return true;
}

/* The relation of two numbers, which is a product, a quotient or a sum; false: none. */
static bool are_related(const struct group *group, int number, int parameter, struct relation *relation)
{
    const int value = value_of(group, 0, number), of = value_of(group, 0, parameter);
    const struct relation sum = {1, 1, value - of}, product = {of ? value / of : 1, 1, 0},
                          quotient = {1, value ? of / value : 1, 0};
    const struct relation *const candidate[] = {&sum, &product, &quotient};

    for (size_t k = 0; k < sizeof(candidate) / sizeof(candidate[0]); k++)
        if (candidate[k]->divisor > 0 && holds(group, number, parameter, candidate[k])) {
            *relation = *candidate[k];
            return true;
        }
    return false;
}

/* The number as an expression of parameters, NULL: there is none. */
static const char *expression(const struct group *group, const struct c_number *number, int which)
{
    struct arena *arena = group->file->emitter.arena;
    const bool inner = strchr("-*/%", number->before) || strchr("*/%", number->after);
    struct relation relation;

    if (is_same_for_all(group, which))
        return arena_printf(arena, "%d", number->value);
    for (int p = 0; p < group->n_parameter; p++) {
        const char *name = group->parameter[p].name;
        if (!are_related(group, which, group->parameter[p].number, &relation))
            continue;
        if (relation.offset)
            return arena_printf(arena, inner ? "(%s %c %d)" : "%s %c %d", name, relation.offset < 0 ? '-' : '+',
                                relation.offset < 0 ? -relation.offset : relation.offset);
        if (relation.factor > 1)
            return arena_printf(arena, inner ? "(%d * %s)" : "%d * %s", relation.factor, name);
        if (relation.divisor > 1)
            return arena_printf(arena, inner ? "(%s / %d)" : "%s / %d", name, relation.divisor);
        return name;
    }
    return NULL;
}

/* The name of the callee's parameter. */
static const char *callee_parameter(const struct group *group, const struct c_number *number)
{
    const char *parameter = c_function_named(group->file, number->callee, strlen(number->callee))->parameters;

    for (int k = 0; k < number->argument && parameter; k++)
        parameter = strstr(parameter, ", ") ? strstr(parameter, ", ") + 2 : NULL;
    if (!parameter || strncmp(parameter, "int ", 4) != 0)
        return NULL;
    return arena_copy_n(group->file->emitter.arena, parameter + 4, c_word_size(parameter + 4));
}

static bool is_mentioned(const struct group *group, const char *name)
{
    for (int k = 0; k < group->n; k++) {
        const struct c_function *function = &group->file->function.at[group->member[k]];
        if (c_mentions(function->body, name) || c_mentions(function->parameters, name))
            return true;
    }
    for (int k = 0; k < group->n_parameter; k++)
        if (strcmp(group->parameter[k].name, name) == 0)
            return true;
    return name_is_reserved(name);
}

/* wanted, or wanted_1, .. where that is a name of the functions. */
static const char *free_name(const struct group *group, const char *wanted)
{
    const char *name = wanted;

    for (int k = 1; is_mentioned(group, name); k++)
        name = arena_printf(group->file->emitter.arena, "%s_%d", wanted, k);
    return name;
}

/* The name of a parameter for this number: `jj_n` for the end of loop jj. */
static const char *parameter_name(const struct group *group, const struct c_number *number)
{
    struct arena *arena = group->file->emitter.arena;
    const char *of_callee = number->callee ? callee_parameter(group, number) : NULL;

    if (number->loop)
        return free_name(group, arena_printf(arena, "%s_n", number->loop));
    return free_name(group, of_callee ? of_callee : "n");
}

/* Gives the numbers that differ parameters, ends of loops first; false: they would be too many. */
static bool add_parameters(struct group *group, const struct c_pattern *pattern, bool ends)
{
    for (int k = 0; k < pattern->number.n; k++) {
        const struct c_number *number = &pattern->number.at[k];
        if ((ends && !number->loop) || !number->before || expression(group, number, k))
            continue;
        if (group->n_parameter == MOST_PARAMETERS)
            return false;
        group->parameter[group->n_parameter].name = parameter_name(group, number);
        group->parameter[group->n_parameter++].number = k;
    }
    return true;
}

/* Are loops that are unrolled in some of the functions as often as these have iterations so in all of them? */
static bool unrolls_all(const struct group *group, const struct c_pattern *pattern)
{
    for (int k = 0; k < pattern->number.n; k++) {
        if (pattern->number.at[k].before || is_same_for_all(group, k))
            continue;
        for (int m = 0; m < group->n; m++)
            if (value_of(group, m, k) > MOST_UNROLLED)
                return false;
    }
    return true;
}

/* The pattern with numbers and parameters. */
static const char *filled(const struct group *group, const struct c_pattern *pattern)
{
    struct emitter *emitter = &group->file->emitter;
    struct text text = {0};
    int n = 0;

    for (const char *c = strchr(pattern->text, '\n') + 1; *c; c++) {
        const struct c_number *number = n < pattern->number.n ? &pattern->number.at[n] : NULL;
        if (*c == PATTERN_GAP)
            text_add(&text, expression(group, number, n++));
        else if (*c == PATTERN_UNROLL && is_same_for_all(group, n))
            text_addf(&text, "#pragma GCC unroll %d", pattern->number.at[n++].value);
        else if (*c == PATTERN_UNROLL && ++n)
            text_add(&text, helper_use(&emitter->helpers, HELPER_UNROLL, TYPE_I64));
        else
            text_char(&text, *c);
    }
    const char *body = arena_copy(emitter->arena, text_str(&text));
    text_free(&text);
    return body;
}

/* The parts of name, between underscores, that other has, too, in the same order. */
static const char *common_parts(struct arena *arena, const char *name, const char *other)
{
    const char *common = "";

    for (size_t size; *name; name += size + (name[size] == '_')) {
        const char *rest = other;
        size = strcspn(name, "_");
        while (*rest && !(strncmp(rest, name, size) == 0 && strcspn(rest, "_") == size))
            rest += strcspn(rest, "_") + (rest[strcspn(rest, "_")] == '_');
        if (!*rest)
            continue;
        common = arena_printf(arena, "%s%s%.*s", common, *common ? "_" : "", (int)size, name);
        other = rest + size + (rest[size] == '_');
    }
    return common;
}

/* "mm_ii" of mm_ii_1 to mm_ii_3: without the parts that differ; "mm_ii_1_to_3" where others have that name. */
static const char *merged_name(const struct group *group)
{
    const struct c_function *function = group->file->function.at;
    struct names *names = &group->file->emitter.names;
    const char *first = function[group->member[0]].name, *last = function[group->member[group->n - 1]].name;
    const char *common = first;

    for (int k = 1; k < group->n; k++)
        common = common_parts(names->arena, common, function[group->member[k]].name);
    for (int k = 0; k < group->n; k++)
        if (strcmp(common, function[group->member[k]].name) == 0)
            return common;
    if (!*common || names_has(names, common))
        common = arena_printf(names->arena, "%s_to_%s", first, strrchr(last, '_') ? strrchr(last, '_') + 1 : last);
    return names_unique(names, common);
}

/* A comment with gaps for what "2 iterations" are. */
static struct c_pattern comment_pattern(struct arena *arena, const char *comment)
{
    static const char word[] = " iteration";
    struct c_pattern pattern = {0};
    struct text text = {0};

    while (*comment) {
        const size_t digits = strspn(comment, "0123456789");
        if (digits && strncmp(comment + digits, word, strlen(word)) == 0) {
            const struct c_number number = {.value = (int)strtol(comment, NULL, 10)};
            VEC_PUSH(arena, &pattern.number, number);
            text_char(&text, PATTERN_GAP);
            comment += digits + strlen(word);
            comment += *comment == 's';
        } else {
            text_char(&text, *comment++);
        }
    }
    pattern.text = arena_copy(arena, text_str(&text));
    text_free(&text);
    return pattern;
}

/* "2 to 5 iterations": the n-th number of the functions' comments. */
static void add_range(struct text *text, const struct group *group, const struct c_pattern *comment, int n)
{
    int least = INT_MAX, most = 0;

    for (int k = 0; k < group->n; k++) {
        const int value = comment[k].number.at[n].value;
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    if (least == most)
        text_addf(text, "%d iteration%s", least, least == 1 ? "" : "s");
    else
        text_addf(text, "%d %s %d iterations", least, most == least + 1 ? "or" : "to", most);
}

/* What all comments begin with, as far as the first colon; NULL: nothing. */
static const char *common_start(const struct group *group)
{
    const char *first = group->file->function.at[group->member[0]].comment;
    const size_t size = first ? strcspn(first, ":") : 0;

    for (int k = 1; k < group->n; k++) {
        const char *comment = group->file->function.at[group->member[k]].comment;
        if (!comment || strncmp(comment, first ? first : "", size) != 0)
            return NULL;
    }
    return size ? arena_copy_n(group->file->emitter.arena, first, size) : NULL;
}

/* "partial tile: 2 to 5 iterations of ii"; "partial tile" where the functions' comments differ in more. */
static const char *common_comment(const struct group *group)
{
    struct arena *arena = group->file->emitter.arena;
    struct c_pattern *comment = ARENA_ARRAY(arena, group->n, struct c_pattern);
    struct text text = {0};
    int n = 0;

    for (int k = 0; k < group->n; k++) {
        const char *own = group->file->function.at[group->member[k]].comment;
        comment[k] = comment_pattern(arena, own ? own : "");
        if (strcmp(comment[k].text, comment[0].text) != 0)
            return common_start(group);
    }
    for (const char *c = comment[0].text; *c; c++)
        if (*c == PATTERN_GAP)
            add_range(&text, group, comment, n++);
        else
            text_char(&text, *c);
    const char *common = text.size ? arena_copy(arena, text_str(&text)) : NULL;
    text_free(&text);
    return common;
}

/* "2, 32": what stands in front of the other arguments in calls of member k. */
static const char *arguments(const struct group *group, int k)
{
    const char *list = "";

    for (int p = 0; p < group->n_parameter; p++)
        list = arena_printf(group->file->emitter.arena, "%s%s%d", list, p ? ", " : "",
                            value_of(group, k, group->parameter[p].number));
    return list;
}

/* code with calls of the members as calls of the one that they became. */
static const char *with_calls(const struct group *group, const char *code, const char *name)
{
    struct text text = {0};

    for (size_t size; *code; code += size) {
        int k = group->n;
        size = c_word_size(code);
        while (size && code[size] == '(' && --k >= 0) {
            const char *member = group->file->function.at[group->member[k]].name;
            if (strlen(member) == size && strncmp(member, code, size) == 0)
                break;
        }
        if (size && code[size] == '(' && k >= 0 && k < group->n) {
            text_addf(&text, "%s(%s%s", name, arguments(group, k), code[size + 1] == ')' ? "" : ", ");
            size++;
        } else {
            size = size ? size : 1;
            text_add_n(&text, code, size);
        }
    }
    const char *changed = arena_copy(group->file->emitter.arena, text_str(&text));
    text_free(&text);
    return changed;
}

static const char *parameters_text(const struct group *group, const char *others)
{
    struct arena *arena = group->file->emitter.arena;
    const char *list = "";

    for (int p = 0; p < group->n_parameter; p++)
        list = arena_printf(arena, "%s%sint %s", list, p ? ", " : "", group->parameter[p].name);
    return *others ? arena_printf(arena, "%s, %s", list, others) : list;
}

/* Puts the one function in the place of the first member. */
static void replace(struct group *group, const char *body)
{
    struct c_file *file = group->file;
    struct c_function *first = &file->function.at[group->member[0]];
    int kept = 0;
    const char *name = merged_name(group);
    const struct c_function one = {name, common_comment(group), parameters_text(group, first->parameters), body, true};

    for (int k = 0; k < file->function.n; k++)
        file->function.at[k].body = with_calls(group, file->function.at[k].body, name);
    const char *main = with_calls(group, text_str(&file->body), name);
    text_truncate(&file->body, 0);
    text_add(&file->body, main);
    *first = one;
    for (int k = 0, m = 1; k < file->function.n; k++)
        if (m < group->n && k == group->member[m])
            m++;
        else
            file->function.at[kept++] = file->function.at[k];
    file->function.n = kept;
}

static bool has_region(const struct c_function *function)
{
    return strstr(function->body, "#pragma omp parallel");
}

/* Merges the group of functions of the pattern that number k has; false: k is the only one, or they cannot be. */
static bool merge(struct group *group, int k)
{
    const struct c_pattern *pattern = &group->pattern[k];

    *group = (struct group){group->file, group->member, 0, group->pattern, {{0}}, 0};
    for (int m = k; m < group->file->function.n; m++)
        if (strcmp(group->pattern[m].text, pattern->text) == 0)
            group->member[group->n++] = m;
    if (group->n == 1 || has_region(&group->file->function.at[k]) || !unrolls_all(group, pattern) ||
        !add_parameters(group, pattern, true) || !add_parameters(group, pattern, false))
        return false;
    replace(group, filled(group, pattern));
    return true;
}

static bool merge_any(struct c_file *file)
{
    struct arena *arena = file->emitter.arena;
    struct c_pattern *pattern = ARENA_ARRAY(arena, file->function.n, struct c_pattern);
    struct group group = {file, ARENA_ARRAY(arena, file->function.n, int), 0, pattern, {{0}}, 0};
    bool merged = false;

    for (int k = 0; k < file->function.n; k++)
        pattern[k] = c_pattern_of(file, &file->function.at[k]);
    for (int k = 0; k < file->function.n && !merged; k++)
        merged = merge(&group, k);
    return merged;
}

void c_merge_functions(struct c_file *file)
{
    while (file->function.n > 1 && merge_any(file))
        continue;
}
