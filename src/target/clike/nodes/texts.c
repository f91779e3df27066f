#include "target/clike/nodes/texts.h"

#include "program/instruction.h"
#include "target/clike/expr.h"
#include "target/clike/storage.h"

#include <ctype.h>
#include <string.h>

/* The next name in the text, which moves behind it; NULL: there is none. */
static const char *next_name(struct arena *arena, const char **text)
{
    const char *at = *text, *start;

    for (;;) {
        while (*at && !c_is_word(*at))
            at++;
        start = at;
        while (c_is_word(*at))
            at++;
        if (at == start || !isdigit((unsigned char)*start))
            break;
    }
    *text = at;
    return at > start ? arena_printf(arena, "%.*s", (int)(at - start), start) : NULL;
}

static void note_names(struct emitter *emitter, const struct lines *lines)
{
    for (int k = 0; k < lines->n; k++) {
        const char *text = lines->at[k], *name;

        while ((name = next_name(emitter->arena, &text)))
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
    note_names(emitter, &instruction->text);
    note_names(emitter, &instruction->declare);
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
        const int operand = operand_number(own, own->statement[k]->target->array->name);
        if (text->value->arg[operand]->element.array == array)
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
        const char *text = instruction->text.at[k], *name;

        while ((name = next_name(emitter->arena, &text))) {
            const bool placeholder = *text == '@' && text - strlen(name) > instruction->text.at[k] &&
                                     text[-(ptrdiff_t)strlen(name) - 1] == '@';
            if (placeholder || !c_mentions(operand, name))
                continue;
            emitter->lacks = arena_printf(emitter->arena, "`%s` in the text of `%s` is a name around it, too", name,
                                          instruction->name);
            emitter->lacks_hint = "give it another name in the text";
            emitter->lacks_place = instruction->text_place;
        }
    }
}

static const char *operand_text(struct emitter *emitter, const struct instruction *instruction,
                                const struct tree_expr *operand, bool alone)
{
    const struct expr_text text =
        operand->kind == TREE_LOAD ? address(emitter, &operand->element) : expr_exact(emitter, operand);

    if (operand->kind == TREE_INT && operand->integer >= INT32_MIN / 2 && operand->integer <= INT32_MAX / 2)
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

        if (!start)
            return arena_printf(emitter->arena, "%s%s", done, at);
        end = instruction_operand_end(start) + 1;
        name = arena_printf(emitter->arena, "%.*s", (int)(end - start) - 2, start + 1);
        operand = operand_text(emitter, instruction, node->value->arg[operand_number(instruction->program, name)],
                               stands_alone(line, start, end));
        done = arena_printf(emitter->arena, "%s%.*s%s", done, (int)(start - at), at, operand);
    }
    return done;
}

void text_print(struct emitter *emitter, const struct node *text)
{
    const struct instruction *instruction = program_instruction(emitter->program, text->instruction);

    for (int k = 0; k < instruction->text.n; k++)
        write_line(&emitter->writer, line_of(emitter, instruction, text, instruction->text.at[k]));
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

        for (int line = 0; line < declare->n; line++)
            text_addf(out, "%s\n", declare->at[line]);
        text_add(out, declare->n ? "\n" : "");
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
