/* The statements in the comment at the top, each with its loops and conditions: "S: y[i] += x[j]    for 0 <= i < N". */
#include "target/c/file.h"

#include "program/show.h"
#include "target/clike/wrap.h"

enum { MOST_STATEMENTS = 16 }; /* listed in the comment; of more, only how many */

/* A statement's loops and conditions, collected from the outside in. */
struct domain_text {
    struct text text;
    const char *const *loop_name;
    const struct program *program;
};

/* Does it only tell whether a loop goes on? */
static bool tells_end(const struct statement *statement)
{
    return statement->target->kind == EXPR_ACCESS && statement->target->array->is_while;
}

/* What a loop asks in front of each iteration to set array; the value 1 comes first. */
static const struct expr *asked_for(const struct program *program, const struct array *array)
{
    const struct expr *asked = NULL;

    for (int k = 0; k < program->n_statement; k++) {
        const struct statement *statement = program->statement[k];
        if (tells_end(statement) && statement->target->array == array && statement->value->kind != EXPR_INT)
            asked = statement->value->kind == EXPR_CAST ? statement->value->arg[0] : statement->value;
    }
    return asked;
}

static void add_separator(struct domain_text *domain)
{
    text_add(&domain->text, domain->text.size ? ", " : "");
}

static void add_loop(struct domain_text *domain, const struct nest_loop *loop)
{
    add_separator(domain);
    if (loop->lower)
        expr_print(&domain->text, loop->lower, domain->loop_name);
    else
        text_char(&domain->text, '0');
    text_addf(&domain->text, loop->lower && loop->lower_strict ? " < %s" : " <= %s", loop->name);
    text_add(&domain->text, loop->upper_strict ? " < " : " <= ");
    expr_print(&domain->text, loop->upper, domain->loop_name);
    if (loop->step != 1)
        text_addf(&domain->text, " step %lld", (long long)loop->step);
}

/* ", i != j", or " while x[k] > 0" of a loop that may end early. */
static void add_condition(struct domain_text *domain, const struct expr *condition)
{
    const bool ends = condition->kind == EXPR_ACCESS && condition->array->is_while;
    const struct expr *asked = ends ? asked_for(domain->program, condition->array) : NULL;

    if (asked)
        text_add(&domain->text, " while ");
    else
        add_separator(domain);
    expr_print(&domain->text, asked ? asked : condition, domain->loop_name);
}

static bool is_inside(const struct block *block, const struct statement *statement)
{
    for (int k = 0; k < block->n_item; k++) {
        const struct item *item = &block->item[k];
        if (item->statement == statement || (item->block && is_inside(item->block, statement)))
            return true;
    }
    return false;
}

/* Collects on the way to statement, which is inside block. */
static void collect(struct domain_text *domain, const struct block *block, const struct statement *statement)
{
    for (int k = 0; k < block->n_loop; k++)
        add_loop(domain, &block->loop[k]);
    if (block->condition)
        add_condition(domain, block->condition);
    for (int k = 0; k < block->n_item; k++) {
        const struct block *inner = block->item[k].block;
        if (inner && is_inside(inner, statement))
            collect(domain, inner, statement);
    }
}

static bool is_told(const struct statement *statement)
{
    return !tells_end(statement) && statement->part == 0;
}

static const struct program *described(const struct c_file *file)
{
    const struct program *stored = file->unit->program;

    return stored->described ? stored->described : stored;
}

/* "for 0 <= i < M, 0 <= j < N", or "" for a statement without loops and conditions. */
static const char *domain_line(struct c_file *file, const struct statement *statement)
{
    struct domain_text domain = {{0}, statement->loop_name, described(file)};

    if (statement->nest->order)
        show_domain(&domain.text, statement);
    else
        collect(&domain, statement->nest->body, statement);
    const char *text = domain.text.size ? arena_printf(file->emitter.arena, "for %s", text_str(&domain.text)) : "";
    text_free(&domain.text);
    return comment_text(file->emitter.arena, text);
}

/* The statement and its domain: beside each other where they fit, else below each other. */
static void add_statement(struct c_file *file, struct text *out, const char *lead, const struct statement *statement)
{
    struct arena *arena = file->emitter.arena;
    const char *domain = domain_line(file, statement), *line;
    struct text text = {0};

    statement_print(&text, statement);
    line = comment_text(arena, text_str(&text));
    text_free(&text);
    if (strlen(lead) + strlen(line) + strlen(domain) + 4 <= WRAP_WIDTH) {
        text_addf(out, "%s%s%s%s\n", lead, line, *domain ? "    " : "", domain);
        return;
    }
    wrap_words(out, lead, " *     ", line);
    wrap_words(out, " *     ", " *         ", domain);
}

void c_comment_statements(struct c_file *file, struct text *out)
{
    const struct program *program = described(file);
    struct arena *arena = file->emitter.arena;
    const char *name = file->unit->name;
    int n = 0;

    if (program->n_statement == 1) {
        add_statement(file, out, arena_printf(arena, "/* %s: ", name), program->statement[0]);
        return;
    }
    for (int k = 0; k < program->n_statement; k++)
        n += is_told(program->statement[k]);
    if (n > MOST_STATEMENTS) {
        text_addf(out, "/* %s: %d statements\n", name, n);
        return;
    }
    text_addf(out, "/* %s\n", name);
    text_add(out, " *\n");
    for (int k = 0; k < program->n_statement; k++)
        if (is_told(program->statement[k]))
            add_statement(file, out, arena_printf(arena, " * %s: ", program->statement[k]->label),
                          program->statement[k]);
}
