#include "target/clike/nodes/texts.h"

#include "program/instruction.h"
#include "target/clike/expr.h"
#include "target/clike/storage.h"

#include <ctype.h>
#include <string.h>

static bool is_member(const char *line, const char *word)
{
    return word > line && (word[-1] == '.' || (word[-1] == '>' && word - 1 > line && word[-2] == '-'));
}

/* The next name of the line from *at on, which moves past it; NULL: there is none. Names in quotes and those of members
 * do not count. */
static const char *next_name(struct arena *arena, const char *line, const char **at)
{
    while (**at) {
        const char *start = *at, *behind = instruction_behind_quoted(start);

        while (behind == start && c_is_word(**at))
            ++*at;
        if (*at > start && !isdigit((unsigned char)*start) && !is_member(line, start))
            return arena_printf(arena, "%.*s", (int)(*at - start), start);
        if (*at == start)
            *at = behind > start ? behind : start + 1;
    }
    return NULL;
}

static void claim_names(struct emitter *emitter, const struct lines *lines)
{
    for (int k = 0; k < lines->n; k++) {
        const char *at = lines->at[k], *name;

        while ((name = next_name(emitter->arena, lines->at[k], &at)))
            if (!names_has(&emitter->names, name))
                names_add(&emitter->names, name);
    }
}

void texts_note(struct emitter *emitter, const struct node *text)
{
    const struct instruction *instruction = program_instruction(emitter->program, text->instruction);

    for (int k = 0; k < emitter->instructions.n; k++)
        if (emitter->instructions.at[k] == instruction)
            return;
    VEC_PUSH(emitter->arena, &emitter->instructions, instruction);
}

static bool mentions(struct arena *arena, const struct lines *lines, const char *wanted)
{
    for (int k = 0; k < lines->n; k++) {
        const char *at = lines->at[k], *name;

        while ((name = next_name(arena, lines->at[k], &at)))
            if (strcmp(name, wanted) == 0)
                return true;
    }
    return false;
}

static bool is_word(const char *at, const char *start, const char *word, size_t size)
{
    return strncmp(at, word, size) == 0 && !c_is_word(at[size]) && (at == start || !c_is_word(at[-1]));
}

/* Is the name outside of all brackets of what it declares, as those of functions and tables are? */
static bool declares(const struct instruction *instruction, const char *name)
{
    const size_t size = strlen(name);
    int depth = 0;

    for (int k = 0; k < instruction->declare.n; k++)
        for (const char *line = instruction->declare.at[k], *at = line, *behind; *at; at = behind) {
            behind = instruction_behind_quoted(at);
            if (behind > at)
                continue;
            behind = at + 1;
            depth += strchr("([{", *at) ? 1 : strchr(")]}", *at) ? -1 : 0;
            if (depth == 0 && is_word(at, line, name, size))
                return true;
        }
    return false;
}

/* The function's parameters and loops hide what is declared above it under the same name. */
static void check_hidden(struct emitter *emitter, const struct instruction *instruction)
{
    const struct names *names = &emitter->names;

    for (int k = 0; k < emitter->n_described && !emitter->lacks; k++) {
        const char *name = names->used.at[k];

        if (!declares(instruction, name) || !mentions(emitter->arena, &instruction->text, name))
            continue;
        emitter->lacks = arena_printf(emitter->arena, "`%s` is declared by `%s`, and is a name of the description, too",
                                      name, instruction->name);
        emitter->lacks_hint = "give one of them another name";
        emitter->lacks_place = instruction->text_place;
    }
}

void texts_claim_names(struct emitter *emitter)
{
    for (int k = 0; k < emitter->instructions.n; k++) {
        check_hidden(emitter, emitter->instructions.at[k]);
        claim_names(emitter, &emitter->instructions.at[k]->text);
        claim_names(emitter, &emitter->instructions.at[k]->declare);
    }
}

/* The operand's number in the node's value. */
static int operand_number(const struct program *own, const char *name)
{
    const struct param *param = program_param(own, name);
    const struct scalar *scalar = program_scalar(own, name);

    if (param)
        return (int)(param - own->param);
    return scalar ? own->n_param + (int)(scalar - own->scalar)
                  : own->n_param + own->n_scalar + (int)(program_array(own, name) - own->array);
}

bool text_writes(const struct program *program, const struct node *text, const struct array *array)
{
    const struct program *own = program_instruction(program, text->instruction)->program;

    for (int k = 0; k < own->n_statement; k++) {
        const struct array *target = own->statement[k]->target->array;
        const int operand = operand_number(own, target->name);
        if (!target->is_call && text->value->arg[operand]->element.array == array)
            return true;
    }
    return false;
}

bool text_keeps_rounding(const struct program *program, const struct node *text)
{
    const struct program *own = program_instruction(program, text->instruction)->program;
    bool floats = false;

    for (int k = 0; k < own->n_statement; k++)
        floats = floats || type_is_float(own->statement[k]->target->array->type);
    return floats && !(own->permit & PERMIT_CONTRACT);
}

/* "&A[i * K]", and "A" for "&A[0]" */
static struct expr_text address(struct emitter *emitter, const struct element *element)
{
    enum precedence precedence;
    const char *text = element_text(emitter, element, &precedence);
    const size_t size = strlen(element->array->name);

    if (*text == '*')
        return (struct expr_text){.text = text + 1, .precedence = PREC_PRIMARY};
    if (strncmp(text, element->array->name, size) == 0 && strcmp(text + size, "[0]") == 0)
        return (struct expr_text){.text = element->array->name, .precedence = PREC_PRIMARY};
    return (struct expr_text){.text = arena_printf(emitter->arena, "&%s", text), .precedence = PREC_UNARY};
}

/* Is an argument, something in parentheses, or what is assigned all of what stands from start to end in line? */
static bool stands_alone(const char *line, const char *start, const char *end)
{
    while (start > line && start[-1] == ' ')
        start--;
    while (*end == ' ')
        end++;
    return start > line && strchr("(,=", start[-1]) && *end && strchr(",);", *end);
}

/* A name of the text that the operand has, too, would be another thing in one of the two. */
static void check_capture(struct emitter *emitter, const struct instruction *instruction, const char *operand)
{
    for (int k = 0; k < instruction->text.n; k++) {
        const char *line = instruction->text.at[k], *at = line, *name;

        while ((name = next_name(emitter->arena, line, &at))) {
            const char *start = at - strlen(name);
            const bool placeholder = *at == '@' && start > line && start[-1] == '@';
            if (placeholder || name_is_reserved(name) || !c_mentions(operand, name))
                continue;
            emitter->lacks = arena_printf(emitter->arena, "`%s` in the text of `%s` is a name around it, too", name,
                                          instruction->name);
            emitter->lacks_hint = "give it another name in the text";
            emitter->lacks_place = instruction->text_place;
        }
    }
}

/* A size or stride that reads better as `4` than as INT64_C(4): products of two fit an int. A scalar's type is its own,
 * which quotients and shifts in the text depend on. */
static bool is_small_size(const struct instruction *instruction, int number, const struct tree_expr *operand)
{
    return number < instruction->program->n_param && operand->kind == TREE_INT && operand->integer >= INT16_MIN &&
           operand->integer <= INT16_MAX;
}

static const char *operand_text(struct emitter *emitter, const struct instruction *instruction, int number, bool alone,
                                const struct tree_expr *operand)
{
    const struct expr_text text =
        operand->kind == TREE_LOAD ? address(emitter, &operand->element) : expr_exact(emitter, operand);

    if (is_small_size(instruction, number, operand))
        return arena_printf(emitter->arena, operand->integer < 0 && !alone ? "(%d)" : "%d", (int)operand->integer);
    check_capture(emitter, instruction, text.text);
    return parenthesised(emitter, text.text, text.precedence, alone ? PREC_SELECT : PREC_PRIMARY);
}

static const char *line_of(struct emitter *emitter, const struct instruction *instruction, const struct node *node,
                           const char *line)
{
    const char *done = "";

    for (const char *at = line, *end; *at; at = end) {
        const char *start = strchr(at, '@'), *name, *operand;
        int number;

        if (!start)
            return arena_printf(emitter->arena, "%s%s", done, at);
        end = instruction_operand_end(start) + 1;
        name = arena_printf(emitter->arena, "%.*s", (int)(end - start) - 2, start + 1);
        number = operand_number(instruction->program, name);
        operand = operand_text(emitter, instruction, number, stands_alone(line, start, end), node->value->arg[number]);
        done = arena_printf(emitter->arena, "%s%.*s%s", done, (int)(start - at), at, operand);
    }
    return done;
}

static void print_lines(struct emitter *emitter, const struct instruction *instruction, const struct node *text)
{
    for (int k = 0; k < instruction->text.n; k++)
        write_line(&emitter->writer, line_of(emitter, instruction, text, instruction->text.at[k]));
}

void text_print(struct emitter *emitter, const struct node *text, bool alone)
{
    const struct instruction *instruction = program_instruction(emitter->program, text->instruction);
    const bool braces = instruction->several && !alone;

    if (braces)
        write_line(&emitter->writer, "{");
    emitter->writer.indent += braces;
    print_lines(emitter, instruction, text);
    emitter->writer.indent -= braces;
    if (braces)
        write_line(&emitter->writer, "}");
}

void texts_add_includes(const struct emitter *emitter, struct text *out)
{
    for (int k = 0; k < emitter->instructions.n; k++) {
        const struct lines *include = &emitter->instructions.at[k]->include;

        for (int line = 0; line < include->n; line++) {
            const char *text = arena_printf(emitter->arena, "#include %s\n", include->at[line]);
            if (!strstr(text_str(out), text))
                text_add(out, text);
        }
    }
}

void texts_add_declarations(const struct emitter *emitter, struct text *out)
{
    for (int k = 0; k < emitter->instructions.n; k++) {
        const struct lines *declare = &emitter->instructions.at[k]->declare;
        const char *text = "";

        for (int line = 0; line < declare->n; line++)
            text = arena_printf(emitter->arena, "%s%s\n", text, declare->at[line]);
        if (declare->n && !strstr(text_str(out), text))
            text_addf(out, "%s\n", text);
    }
}

const char *texts_flags(const struct emitter *emitter)
{
    const char *flags = NULL;

    for (int k = 0; k < emitter->instructions.n; k++) {
        const char *own = emitter->instructions.at[k]->flags;
        if (own)
            flags = flags ? arena_printf(emitter->arena, "%s %s", flags, own) : own;
    }
    return flags;
}

const char *texts_names(const struct emitter *emitter)
{
    const char *names = NULL;

    for (int k = 0; k < emitter->instructions.n; k++) {
        const char *name = emitter->instructions.at[k]->name;
        names = names ? arena_printf(emitter->arena, "%s, %s", names, name) : name;
    }
    return names;
}
