#include "lower/dump/reader.h"

#include "caps/simd.h"
#include "plan/loop_plan.h"
#include "program/instruction.h"

#include <inttypes.h>
#include <string.h>

/* Where to go on: a line with this indentation, that of a node. */
static bool is_line(const struct reader *reader, uint64_t indentation)
{
    return reader->lexer.token.kind == TOKEN_LINE && reader->lexer.token.number == indentation;
}

/* Does the line at hand begin with the word? */
static bool begins_with(const struct reader *reader, const char *word)
{
    const struct lexer *lexer = &reader->lexer;
    const size_t size = strlen(word);

    return lexer->at + size <= lexer->source->size && strncmp(lexer->source->text + lexer->at, word, size) == 0;
}

/* `else`, `case` and what begins the next tree belong to what is around. */
static bool is_node_line(const struct reader *reader, uint64_t indentation)
{
    return is_line(reader, indentation) && !begins_with(reader, "else\n") && !begins_with(reader, "case ") &&
           !begins_with(reader, "==");
}

static bool read_kind(struct reader *reader, enum node_kind *kind)
{
    for (int k = NODE_BLOCK; k <= NODE_REFUSE; k++)
        if (lexer_skip(&reader->lexer, dump_head((enum node_kind)k)->word)) {
            *kind = (enum node_kind)k;
            return true;
        }
    return lexer_fail(&reader->lexer, "there is no such node");
}

static bool read_head(struct reader *reader, const struct head *head, struct node *node)
{
    for (int k = 0; k < head->n; k++) {
        const struct field *field = &head->field[k];
        if (*field->word && !lexer_skip(&reader->lexer, field->word)) {
            if (field->needed)
                return lexer_fail(&reader->lexer, "`%s` is missing here", field->word);
            *(int64_t *)(void *)((char *)node + field->at) = field->usual;
            continue;
        }
        if (!dump_read_field(reader, field, node))
            return false;
    }
    return true;
}

static bool read_line(struct reader *reader, struct node *node)
{
    return read_kind(reader, &node->kind) && read_head(reader, dump_head(node->kind), node) &&
           (!lexer_skip(&reader->lexer, ",") || dump_read_fields(reader, &dump_node, 1u << node->kind, node));
}

/* Do the tiles fit the target's registers? */
static bool has_tiles(const struct reader *reader, const struct matrix_tile *tile)
{
    const struct simd *simd = simd_by_name(reader->scope->stored->target.simd);
    const struct simd_tiles *set = simd ? simd->tiles : NULL;

    return set && tile->rows <= set->rows && tile->columns <= set->bytes / 4 && tile->groups <= set->rows;
}

/* Is it a loop as the plan asks for it? */
static bool is_planned(const struct node *node)
{
    return node->kind != NODE_REGION && (node->threads || node->joined || node->axis != AXIS_NONE);
}

/* Does the node name an instruction, with a value for each of its operands? */
static bool has_operands(const struct reader *reader, const struct node *text)
{
    const struct program *program = reader->scope->stored;
    const struct instruction *instruction = text->instruction ? program_instruction(program, text->instruction) : NULL;
    const struct program *own = instruction ? instruction->program : NULL;
    const struct tree_expr *value = text->value;
    const int n = own ? own->n_param + own->n_scalar : 0;

    if (!own || !value || value->kind != TREE_OPERANDS || value->n_arg != n + instruction_arrays(instruction))
        return false;
    for (int k = n; k < value->n_arg; k++)
        if (value->arg[k]->kind != TREE_LOAD)
            return false;
    return true;
}

/* What a kind has besides what its line begins with. */
static bool is_whole(struct reader *reader, const struct node *node)
{
    const char *missing = NULL;

    if (node->kind == NODE_LOOP && node->step == 0)
        missing = "a step that is not 0";
    else if (is_planned(node) && (!node->info || !node->info->plan))
        missing = "the info of a loop of the plan";
    else if (node->tile && !has_tiles(reader, node->tile))
        missing = "a tile that registers hold";
    else if (node->kind == NODE_LOOP && reader->early && !node->info)
        missing = "info";
    else if (node->kind == NODE_TUPLE && node->n_part == 0)
        missing = "part";
    else if (node->kind == NODE_IF && node->n_alternative == 0 && !node->value)
        missing = "alternative";
    else if (node->kind == NODE_KERNEL && !node->launch)
        missing = "launch";
    else if (node->kind == NODE_CALL && !node->routine)
        missing = "routine";
    else if (node->kind == NODE_REGION && !node->threads)
        missing = "threads";
    else if (node->kind == NODE_TILES && !node->shape)
        missing = "shape";
    else if (node->kind == NODE_TEXT && !has_operands(reader, node))
        missing = "an instruction of the description's with its operands";
    return !missing || lexer_fail(&reader->lexer, "`%s` is missing here", missing);
}

/* The line in front of `else` and of each `case`. */
static bool read_between(struct reader *reader, const struct node *node, uint64_t indentation, int64_t *label)
{
    if (!is_line(reader, indentation) || !begins_with(reader, node->kind == NODE_SWITCH ? "case " : "else\n"))
        return false;
    lexer_next(&reader->lexer);
    lexer_next(&reader->lexer);
    return node->kind != NODE_SWITCH || lexer_number(&reader->lexer, INT64_MIN, INT64_MAX, label);
}

typedef VEC(const struct node *) node_vec;

static void read_cases(struct reader *reader, struct node *node, uint64_t indentation, node_vec *child)
{
    VEC(int64_t) labels = {0};
    int64_t label = 0;

    while (read_between(reader, node, indentation, &label)) {
        for (int k = 0; k < labels.n; k++)
            if (labels.at[k] == label)
                lexer_fail(&reader->lexer, "there are two cases %" PRId64, label);
        VEC_PUSH(reader->scope->arena, &labels, label);
        VEC_PUSH(reader->scope->arena, child, dump_read_body(reader, indentation + 4));
    }
    node->label = labels.at;
}

static void read_branches(struct reader *reader, const struct node *node, uint64_t indentation, node_vec *child)
{
    int64_t label;

    VEC_PUSH(reader->scope->arena, child, dump_read_body(reader, indentation + 4));
    if (node->kind == NODE_IF && read_between(reader, node, indentation, &label))
        VEC_PUSH(reader->scope->arena, child, dump_read_body(reader, indentation + 4));
}

static bool read_children(struct reader *reader, struct node *node, uint64_t indentation)
{
    const struct head *head = dump_head(node->kind);
    node_vec child = {0};

    while (node->kind == NODE_BLOCK && is_node_line(reader, indentation + 4))
        VEC_PUSH(reader->scope->arena, &child, dump_read_node(reader, indentation + 4));
    if (node->kind == NODE_SWITCH)
        read_cases(reader, node, indentation, &child);
    else if (head->most_child > 0)
        read_branches(reader, node, indentation, &child);
    node->child = child.at;
    node->n_child = child.n;
    if (node->kind == NODE_TEXT && !reader->unfolded && child.n == 1) {
        node->computes = child.at[0];
        node->n_child = 0;
    }
    if (reader->lexer.token.kind == TOKEN_LINE && reader->lexer.token.number > indentation)
        return lexer_fail(&reader->lexer, "nothing is expected at this indentation");
    return child.n >= head->least_child || lexer_fail(&reader->lexer, "there is nothing in the node");
}

static void read_comment(struct reader *reader, struct node *node, uint64_t indentation)
{
    if (reader->lexer.token.kind != TOKEN_COMMENT)
        return;
    node->comment = reader->lexer.token.text;
    lexer_next(&reader->lexer);
    if (is_line(reader, indentation))
        lexer_next(&reader->lexer);
    else
        lexer_fail(&reader->lexer, "the node of the comment is missing here");
}

const struct node *dump_read_node(struct reader *reader, uint64_t indentation)
{
    struct node *node = ARENA_NEW(reader->scope->arena, struct node);

    lexer_next(&reader->lexer);
    read_comment(reader, node, indentation);
    if (!reader_enter(reader) || !read_line(reader, node) || !is_whole(reader, node))
        return NULL;
    if (reader->lexer.token.kind != TOKEN_LINE && reader->lexer.token.kind != TOKEN_END)
        return lexer_fail(&reader->lexer, "the line should end here"), NULL;
    if (!read_children(reader, node, indentation))
        return NULL;
    reader_leave(reader);
    return node;
}

const struct node *dump_read_body(struct reader *reader, uint64_t indentation)
{
    struct node *block = ARENA_NEW(reader->scope->arena, struct node);
    node_vec child = {0};

    while (is_node_line(reader, indentation))
        VEC_PUSH(reader->scope->arena, &child, dump_read_node(reader, indentation));
    if (child.n == 1)
        return child.at[0];
    *block = (struct node){.kind = NODE_BLOCK, .child = child.at, .n_child = child.n};
    return block;
}
