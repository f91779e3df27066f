#include "target/clike/body.h"

#include "target/clike/braces.h"
#include "target/clike/declare.h"
#include "target/clike/expr.h"
#include "target/clike/heading.h"
#include "target/clike/index.h"
#include "target/clike/nodes/openmp.h"
#include "target/clike/nodes/prefetch.h"
#include "target/clike/scope.h"
#include "target/clike/storage.h"
#include "target/clike/nodes/texts.h"
#include "target/clike/tile.h"
#include "target/clike/together.h"
#include "target/clike/nodes/tuple.h"
#include "target/clike/vector/vector.h"
#include "tree/visit.h"

#include <inttypes.h>

static void print_node(struct emitter *emitter, const struct node *node, bool last);

/* What has braces of its own. */
static void print_alone(struct emitter *emitter, const struct node *node)
{
    if (node->kind == NODE_TEXT && !node->comment)
        text_print(emitter, node, true);
    else
        print_node(emitter, node, true);
}

/* The statement that a directive in front of it is about. */
static void print_statement(struct emitter *emitter, const struct node *body)
{
    const bool braces = braces_needed(body);

    if (braces)
        write_line(&emitter->writer, "{");
    emitter->writer.indent += braces;
    print_alone(emitter, body);
    emitter->writer.indent -= braces;
    if (braces)
        write_line(&emitter->writer, "}");
}

static void print_branch(struct emitter *emitter, const char *heading, const struct node *body, bool braces)
{
    write_linef(&emitter->writer, braces ? "%s {" : "%s", heading);
    emitter->writer.indent++;
    print_alone(emitter, body);
    emitter->writer.indent--;
}

static bool is_fenced(const struct emitter *emitter, const struct node *loop)
{
    for (int k = 0; k < emitter->fenced.n; k++)
        if (emitter->fenced.at[k] == loop)
            return true;
    return false;
}

/* heading, then the loop's variables and body as what it governs. doacross: the loop that this is the innermost one of,
 * or NULL. */
static void print_governed(struct emitter *emitter, const char *heading, const struct node *node,
                           const struct node *doacross)
{
    const bool owes = is_fenced(emitter, node) || emitter->owes_fence, fenced = owes && emitter->canonical == 0;
    const char *ends = heading_break(emitter, node);
    const bool braces = doacross || fenced || ends || declare_has_locals(emitter, node) || braces_wide(node->child[0]);

    emitter->owes_fence = owes && !fenced;
    write_linef(&emitter->writer, braces ? "%s {" : "%s", heading);
    emitter->writer.indent++;
    if (fenced) {
        write_line(&emitter->writer, "/* not to be vectorized: gcc 12 would reorder accesses of this loop */");
        write_line(&emitter->writer, "atomic_signal_fence(memory_order_acq_rel);");
    }
    if (ends)
        write_linef(&emitter->writer, "%s break;", ends);
    declare_locals(emitter, node);
    if (doacross)
        write_line(&emitter->writer, openmp_wait(emitter, doacross));
    print_alone(emitter, node->kind == NODE_LOOP ? together_begun(emitter->arena, node) : node->child[0]);
    if (doacross)
        write_line(&emitter->writer, "#pragma omp ordered depend(source)");
    emitter->writer.indent--;
    if (braces)
        write_line(&emitter->writer, "}");
}

/* The coordinates of a tuple at var, and its body. */
static void print_tuple_body(struct emitter *emitter, const struct node *node)
{
    for (int k = 0; k < node->n_part; k++)
        if (node_uses(node->child[0], node->part[k].var))
            write_linef(&emitter->writer, "const int64_t %s = %s;", node->part[k].var->name,
                        tuple_coordinate(emitter, node, k));
    print_node(emitter, node->child[0], true);
}

static void print_tuple_loop(struct emitter *emitter, const struct node *node)
{
    write_linef(&emitter->writer, "%s {", heading_tuple(emitter, node));
    emitter->writer.indent++;
    declare_locals(emitter, node);
    print_tuple_body(emitter, node);
    emitter->writer.indent--;
    write_line(&emitter->writer, "}");
}

/* declared: the loop's variable exists already, with its first value. */
static void print_iterations(struct emitter *emitter, const struct node *node, bool declared)
{
    if (node->kind == NODE_TUPLE) {
        print_tuple_loop(emitter, node);
        return;
    }
    if (node->threads) {
        emitter->canonical = node->threads->collapse;
        emitter->doacross = node->threads->doacross ? node : NULL;
    } else if (node->simd)
        emitter->canonical = 1;
    for (int k = 0; k < node->n_pragma; k++)
        write_linef(&emitter->writer, "#pragma %s", node->pragma[k]);
    if (node->unroll)
        write_linef(&emitter->writer, "#pragma %s %" PRId64, emitter->dialect->unroll_word, node->unroll);
    const char *heading = heading_loop(emitter, node, declared);

    emitter->canonical -= emitter->canonical > 0;
    const struct node *doacross = emitter->canonical == 0 ? emitter->doacross : NULL;

    if (doacross)
        emitter->doacross = NULL;
    print_governed(emitter, heading, node, doacross);
}

static void print_loop(struct emitter *emitter, const struct node *node, bool declared)
{
    struct text *out = emitter->writer.out, code = {0};

    if (!node->threads && node->simd)
        write_line(&emitter->writer, openmp_simd(emitter, node));
    emitter->writer.out = node->threads ? &code : out;
    emitter->in_team += node->threads != NULL;
    print_iterations(emitter, node, declared);
    emitter->in_team -= node->threads != NULL;
    emitter->writer.out = out;
    if (node->threads)
        write_line(&emitter->writer, openmp_for(emitter, node, text_str(&code)));
    text_add(out, text_str(&code));
    text_free(&code);
}

/* What the threads share is declared in front of them; it is visible to the end of the surrounding block. */
static void print_region(struct emitter *emitter, const struct node *node, bool last)
{
    const bool braces = !last && declare_has_locals(emitter, node);
    struct text *out = emitter->writer.out, code = {0};

    if (braces)
        write_line(&emitter->writer, "{");
    emitter->writer.indent += braces;
    declare_locals(emitter, node);
    emitter->writer.out = &code;
    emitter->in_team++;
    print_statement(emitter, node->child[0]);
    emitter->in_team--;
    emitter->writer.out = out;
    write_line(&emitter->writer, openmp_parallel(emitter, node, text_str(&code)));
    text_add(out, text_str(&code));
    text_free(&code);
    emitter->writer.indent -= braces;
    if (braces)
        write_line(&emitter->writer, "}");
}

/* The last branch of a chain. An assignment under a condition of its own goes on the same line: `else if (..)`. */
static void print_else(struct emitter *emitter, const struct node *otherwise, bool braces)
{
    const char *heading = braces ? "} else" : "else";
    struct node bare = *otherwise;

    if (otherwise->kind == NODE_ASSIGN && otherwise->guard_value && !otherwise->vector && !otherwise->comment) {
        heading = arena_printf(emitter->arena, "%s if (%s)", heading, expr_truth(emitter, otherwise->guard_value).text);
        bare.guard_value = NULL;
        otherwise = &bare;
    }
    print_branch(emitter, heading, otherwise, braces);
}

static void print_if(struct emitter *emitter, const struct node *node)
{
    const bool braces = braces_of_branches(node);
    const char *before = "", *condition;
    bool more;

    do {
        condition = node->value ? expr_truth(emitter, node->value).text
                                : index_guards(emitter, node->alternative, node->n_alternative);
        print_branch(emitter, arena_printf(emitter->arena, "%sif (%s)", before, condition), node->child[0], braces);
        before = braces ? "} else " : "else ";
        more = node->n_child == 2 && braces_else_if(node->child[1]);
        node = more ? node->child[1] : node;
    } while (more);
    if (node->n_child == 2)
        print_else(emitter, node->child[1], braces);
    if (braces)
        write_line(&emitter->writer, "}");
}

/* The value is visible to the end of the surrounding block, so that one that is not the last needs its own. */
static void print_value(struct emitter *emitter, const struct node *node, bool last)
{
    if (!last) {
        write_line(&emitter->writer, "{");
        emitter->writer.indent++;
    }
    write_linef(&emitter->writer, "const %s;", heading_declaration(emitter, node->var, node->lower));
    declare_locals(emitter, node);
    print_node(emitter, node->child[0], true);
    if (!last) {
        emitter->writer.indent--;
        write_line(&emitter->writer, "}");
    }
}

/* "const float *wt = &Wt[(k * C + c) * 9];" */
/* A pointer, and whether something is stored from there on. */
struct stored_from {
    const struct var *pointer;
    bool found;
};

static void look_for_store(const struct node *node, void *user)
{
    struct stored_from *from = user;

    from->found |= node->kind == NODE_ASSIGN && node->target.base == from->pointer;
}

static const char *pointer_text(struct emitter *emitter, const struct node *node)
{
    enum precedence precedence;
    struct stored_from from = {node->var, false};

    node_for_each(node->child[0], look_for_store, &from);
    return arena_printf(emitter->arena, "%s%s *%s = &%s;", from.found ? "" : "const ",
                        emitter_type(emitter, node->target.array->type), node->var->name,
                        element_text(emitter, &node->target, &precedence));
}

/* "float sum = y[i];", or a vector. */
static const char *let_text(struct emitter *emitter, const struct node *let)
{
    const enum type type = let->value->type;

    if (let->vector)
        return vector_let_text(emitter, let);
    return arena_printf(emitter->arena, "%s%s %s = %s;", let->declares ? "" : "const ", emitter_type(emitter, type),
                        let->var->name, expr_assigned(emitter, let->value, type));
}

/* The declaration of what node binds, and its body. */
static void print_bound(struct emitter *emitter, const struct node *node, const char *declaration, bool last)
{
    if (!last) {
        write_line(&emitter->writer, "{");
        emitter->writer.indent++;
    }
    write_line(&emitter->writer, declaration);
    print_node(emitter, node->child[0], true);
    if (!last) {
        emitter->writer.indent--;
        write_line(&emitter->writer, "}");
    }
}

static void print_atomic(struct emitter *emitter, const struct node *node)
{
    write_line(&emitter->writer, "#pragma omp atomic");
    write_line(&emitter->writer, openmp_atomic(emitter, node));
}

static void print_assign(struct emitter *emitter, const struct node *node, bool last)
{
    const bool branches = node->guard_value && !node->vector;

    if (branches) {
        write_linef(&emitter->writer, "if (%s)", expr_truth(emitter, node->guard_value).text);
        emitter->writer.indent++;
    }
    if (node->warp_sum)
        emitter->warp_sum(emitter, node);
    else if (node->tile)
        tile_print(emitter, node);
    else if (node->tensor)
        emitter->dialect->device->tensor(emitter, node, last);
    else if (node->atomic && emitter->atomic)
        write_line(&emitter->writer, emitter->atomic(emitter, node));
    else if (node->atomic)
        print_atomic(emitter, node);
    else if (node->neighbours || node->asynchronous)
        write_line(&emitter->writer, emitter->copy(emitter, node));
    else if (node->vector)
        write_line(&emitter->writer, vector_assignment_text(emitter, node));
    else
        write_linef(&emitter->writer, "%s%s", declare_target(emitter, node), assignment_text(emitter, node));
    emitter->writer.indent -= branches;
}

static void print_barrier(struct emitter *emitter, const struct node *node)
{
    const struct device_words *words = emitter->dialect->device;
    const char *wait = arena_printf(emitter->arena, "%s(%d)", words->wait, node->prior);
    const char *last = !node->lone ? words->barrier : node->waits ? wait : words->commit;

    for (int k = node->waits ? 0 : 1; k < (node->waits ? 1 : node->prior); k++)
        write_linef(&emitter->writer, "%s;", words->commit);
    if (node->waits && !node->lone)
        write_linef(&emitter->writer, "%s;", wait);
    write_linef(&emitter->writer, "%s; /* %s */", last, comment_text(emitter->arena, node->note));
}

static void print_fence(struct emitter *emitter, const struct node *node)
{
    write_line(&emitter->writer, emitter->simd->fence);
    if (node->waits)
        write_line(&emitter->writer, "#pragma omp barrier");
}

static bool has_kernel(const struct node *node)
{
    bool found = node->kind == NODE_KERNEL;

    for (int k = 0; k < node->n_child && !found; k++)
        found = has_kernel(node->child[k]);
    return found;
}

/* A call goes on the line of its label, unless it may fail. */
static void print_case(struct emitter *emitter, int64_t label, const struct node *body)
{
    struct writer *writer = &emitter->writer;

    if (body->kind == NODE_CALL && !body->comment && !has_kernel(body)) {
        write_linef(writer, "case %" PRId64 ": %s break;", label, emitter->call(emitter, body));
        return;
    }
    write_linef(writer, "case %" PRId64 ":", label);
    writer->indent++;
    print_node(emitter, body, false);
    write_line(writer, "break;");
    writer->indent--;
}

static void print_switch(struct emitter *emitter, const struct node *node)
{
    write_linef(&emitter->writer, "switch (%s) {", index_affine(emitter, node->lower).text);
    for (int k = 0; k < node->n_child; k++)
        print_case(emitter, node->label[k], node->child[k]);
    write_line(&emitter->writer, "}");
}

static bool is_compound(const struct node *node)
{
    return node->kind != NODE_ASSIGN && node->kind != NODE_CALL;
}

/* Between a part with a comment and its neighbours, and between the nests of the function. */
static bool wants_blank(const struct emitter *emitter, const struct node *above, const struct node *below)
{
    const bool outermost = emitter->writer.indent == 1;

    return below->comment || (above->comment && is_compound(above)) ||
           (outermost && (is_compound(above) || is_compound(below)));
}

/* Two loops of one variable, which the second does not start again; a block when the variable may not stay. */
static void print_pair(struct emitter *emitter, const struct node *first, const struct node *second, bool stays)
{
    if (first->comment)
        write_linef(&emitter->writer, "/* %s */", comment_text(emitter->arena, first->comment));
    if (!stays) {
        write_line(&emitter->writer, "{");
        emitter->writer.indent++;
    }
    write_linef(&emitter->writer, "%s;", heading_declaration(emitter, first->var, first->lower));
    print_loop(emitter, first, true);
    print_node(emitter, second, true);
    if (!stays) {
        emitter->writer.indent--;
        write_line(&emitter->writer, "}");
    }
}

/* Several assignments under one condition. */
static void print_together(struct emitter *emitter, const struct node *const *assign, int n)
{
    write_linef(&emitter->writer, "if (%s) {", expr_truth(emitter, assign[0]->guard_value).text);
    emitter->writer.indent++;
    for (int k = 0; k < n; k++) {
        const struct node bare = together_bare(assign[k]);
        print_node(emitter, &bare, true);
    }
    emitter->writer.indent--;
    write_line(&emitter->writer, "}");
}

static void print_block(struct emitter *emitter, const struct node *node, bool last)
{
    for (int k = 0; k < node->n_child; k++) {
        const int left = node->n_child - k - 1;
        const struct node *const *following = &node->child[k + 1];
        const int together = together_count(node, k);
        if (k && wants_blank(emitter, node->child[k - 1], node->child[k]))
            write_blank(&emitter->writer);
        if (left > 0 && following[0]->continues) {
            print_pair(emitter, node->child[k], following[0],
                       last && name_is_free(node->child[k]->var->name, following + 1, left - 1));
            k++;
        } else if (together > 1) {
            print_together(emitter, &node->child[k], together);
            k += together - 1;
        } else {
            print_node(emitter, node->child[k], last && names_may_stay(node->child[k], following, left));
        }
    }
}

/* In braces where it has declarations of its own. */
static void print_own_block(struct emitter *emitter, const struct node *node, bool last)
{
    if (!node->scope && !declare_has_locals(emitter, node)) {
        print_block(emitter, node, last);
        return;
    }
    write_line(&emitter->writer, "{");
    emitter->writer.indent++;
    declare_locals(emitter, node);
    print_block(emitter, node, true);
    emitter->writer.indent--;
    write_line(&emitter->writer, "}");
}

static void print_tuple(struct emitter *emitter, const struct node *node)
{
    if (node->axis == AXIS_NONE || node->step)
        print_loop(emitter, node, false);
    else
        print_tuple_body(emitter, node);
}

static void print_single(struct emitter *emitter, const struct node *node)
{
    write_line(&emitter->writer, node->nowait ? "#pragma omp single nowait" : "#pragma omp single");
    print_statement(emitter, node->child[0]);
}

/* What is declared is visible to the end of the surrounding block. */
static void print_tiles(struct emitter *emitter, const struct node *node, bool last)
{
    if (!last)
        write_line(&emitter->writer, "{");
    emitter->writer.indent += !last;
    tile_print_begin(emitter, node);
    print_node(emitter, node->child[0], false);
    tile_print_end(emitter);
    emitter->writer.indent -= !last;
    if (!last)
        write_line(&emitter->writer, "}");
}

static void print_call(struct emitter *emitter, const struct node *node)
{
    if (has_kernel(node))
        emitter->call_launching(emitter, node);
    else
        write_line(&emitter->writer, emitter->call(emitter, node));
}

/* What threads, caches and devices are told. */
static void print_directive(struct emitter *emitter, const struct node *node, bool last)
{
    switch (node->kind) {
    case NODE_KERNEL:
        emitter->kernel(emitter, node);
        break;
    case NODE_BARRIER:
        print_barrier(emitter, node);
        break;
    case NODE_PREFETCH:
        prefetch_print(emitter, node);
        break;
    case NODE_FENCE:
        print_fence(emitter, node);
        break;
    case NODE_REGION:
        print_region(emitter, node, last);
        break;
    case NODE_SINGLE:
        print_single(emitter, node);
        break;
    case NODE_TEXT:
        text_print(emitter, node, false);
        break;
    case NODE_TILES:
        print_tiles(emitter, node, last);
        break;
    default:
        emitter->failed = true;
    }
}

static void print_node(struct emitter *emitter, const struct node *node, bool last)
{
    if (node->comment)
        write_linef(&emitter->writer, "/* %s */", comment_text(emitter->arena, node->comment));
    switch (node->kind) {
    case NODE_BLOCK:
        print_own_block(emitter, node, last);
        break;
    case NODE_LOOP:
        print_loop(emitter, node, node->continues);
        break;
    case NODE_IF:
        print_if(emitter, node);
        break;
    case NODE_VALUE:
        print_value(emitter, node, last);
        break;
    case NODE_LET:
        print_bound(emitter, node, let_text(emitter, node), last);
        break;
    case NODE_POINTER:
        print_bound(emitter, node, pointer_text(emitter, node), last);
        break;
    case NODE_TUPLE:
        print_tuple(emitter, node);
        break;
    case NODE_ASSIGN:
        print_assign(emitter, node, last);
        break;
    case NODE_SWITCH:
        print_switch(emitter, node);
        break;
    case NODE_CALL:
        print_call(emitter, node);
        break;
    case NODE_REFUSE:
        write_linef(&emitter->writer, "return %s;", emitter->refusal);
        break;
    default:
        print_directive(emitter, node, last);
    }
}

void body_print(struct emitter *emitter, const struct node *tree)
{
    print_node(emitter, tree, true);
}

void body_print_function(struct emitter *emitter, const struct node *call)
{
    declare_locals(emitter, call);
    print_node(emitter, call->child[0], true);
}
