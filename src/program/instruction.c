#include "program/instruction.h"

#include <string.h>

const struct instruction *program_instruction(const struct program *program, const char *name)
{
    for (int k = 0; k < program->n_instruction; k++)
        if (strcmp(program->instruction[k].name, name) == 0)
            return &program->instruction[k];
    return NULL;
}

const struct block *instruction_loops(const struct instruction *instruction)
{
    return instruction->program->nest[0].body;
}

bool instruction_has_operand(const struct instruction *instruction, const char *name)
{
    const struct program *program = instruction->program;

    return program_param(program, name) || program_scalar(program, name) || program_array(program, name);
}

static const struct statement *part_of(const struct program *program, const struct statement *statement, int part)
{
    for (int k = 0; k < program->n_statement; k++)
        if (program->statement[k]->call == statement->call && program->statement[k]->part == part)
            return program->statement[k];
    return statement;
}

const struct statement *call_first_part(const struct program *program, const struct statement *statement)
{
    return statement->call ? part_of(program, statement, 0) : statement;
}

const struct statement *call_last_part(const struct program *program, const struct statement *statement)
{
    return statement->call ? part_of(program, statement, statement->call->n_part - 1) : statement;
}

int instruction_arrays(const struct instruction *instruction)
{
    const struct program *program = instruction->program;
    int n = 0;

    while (n < program->n_array && !program->array[n].is_call)
        n++;
    return n;
}

const char *instruction_operand_end(const char *at)
{
    const char *end = strchr(at + 1, '@');

    return at[0] == '@' && end ? end : NULL;
}

const char *instruction_behind_quoted(const char *text)
{
    const char *at = text;

    if (strncmp(text, "//", 2) == 0)
        return text + strlen(text);
    if (strncmp(text, "/*", 2) == 0) {
        at = strstr(text + 2, "*/");
        return at ? at + 2 : text + strlen(text);
    }
    if (*text != '"' && *text != '\'')
        return text;
    for (at++; *at && *at != *text; at++)
        at += at[0] == '\\' && at[1];
    return *at ? at + 1 : at;
}
