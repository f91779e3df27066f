/* A random program as a description. */
#include "wide.h"

#include <string.h>

const char *const wide_feature_name[N_FEATURE] = {
#define X(name, word) word,
    WIDE_FEATURES(X)
#undef X
};

static void write_affine(const struct wide *wide, struct affine a, struct text *out)
{
    const int64_t factor[2] = {a.n, a.m};
    const char *plus = "";

    for (int k = 0; k < 2; k++) {
        if (!factor[k])
            continue;
        text_add(out, plus);
        if (factor[k] != 1)
            text_addf(out, "%lld * ", (long long)factor[k]);
        text_add(out, wide->param[k]);
        plus = " + ";
    }
    if (!*plus)
        text_addf(out, "%lld", (long long)a.c);
    else if (a.c)
        text_addf(out, " %c %lld", a.c < 0 ? '-' : '+', (long long)(a.c < 0 ? -a.c : a.c));
}

static void write_arguments(const struct wide *wide, const struct term *term, struct text *out)
{
    for (int k = 0; k < term->n_arg; k++) {
        text_add(out, k ? ", " : "");
        wide_text(wide, term->arg[k], out);
    }
}

static void write_access(const struct wide *wide, const struct term *term, struct text *out)
{
    text_add(out, term->array->name);
    if (!term->n_arg)
        return;
    text_char(out, '[');
    write_arguments(wide, term, out);
    text_char(out, ']');
}

/* Operands that are compound stand in parentheses. */
static void write_operand(const struct wide *wide, const struct term *term, struct text *out)
{
    const bool compound = term->form == FORM_BINARY || term->form == FORM_SELECT || term->form == FORM_UNARY ||
                          (term->form == FORM_INT && term->integer < 0) || (term->form == FORM_REAL && term->real < 0);

    text_add(out, compound ? "(" : "");
    wide_text(wide, term, out);
    text_add(out, compound ? ")" : "");
}

void wide_text(const struct wide *wide, const struct term *term, struct text *out)
{
    switch (term->form) {
    case FORM_INT:
        text_addf(out, "%lld", (long long)term->integer);
        break;
    case FORM_REAL:
        text_addf(out, "%.6f", term->real);
        break;
    case FORM_LOOP:
        text_add(out, term->loop->name);
        break;
    case FORM_PARAM:
        text_add(out, wide->param[term->number]);
        break;
    case FORM_SCALAR:
        text_add(out, wide->scalar[term->number].name);
        break;
    case FORM_ACCESS:
        write_access(wide, term, out);
        break;
    case FORM_UNARY:
        text_add(out, term->op);
        write_operand(wide, term->arg[0], out);
        break;
    case FORM_BINARY:
        write_operand(wide, term->arg[0], out);
        text_addf(out, " %s ", term->op);
        write_operand(wide, term->arg[1], out);
        break;
    case FORM_SELECT:
        write_operand(wide, term->arg[0], out);
        text_add(out, " ? ");
        write_operand(wide, term->arg[1], out);
        text_add(out, " : ");
        write_operand(wide, term->arg[2], out);
        break;
    default:
        text_addf(out, "%s(", term->form == FORM_CAST ? type_name(term->type) : term->op);
        write_arguments(wide, term, out);
        text_char(out, ')');
    }
}

static void write_loop(const struct wide *wide, const struct loop *loop, struct text *out)
{
    const bool from_zero = loop->start->form == FORM_INT && !loop->start->integer && loop->step == 1;

    text_char(out, '"');
    if (!from_zero) {
        wide_text(wide, loop->start, out);
        text_add(out, " <= ");
    }
    text_addf(out, "%s %s ", loop->name, loop->to ? "<=" : "<");
    wide_text(wide, loop->end, out);
    if (loop->step != 1)
        text_addf(out, " step %d", loop->step);
    text_char(out, '"');
}

static void write_statement(const struct wide *wide, const struct wide_statement *statement, struct text *out)
{
    text_addf(out, "\"%s: ", statement->label);
    wide_text(wide, statement->target, out);
    text_addf(out, " %s ", statement->op);
    wide_text(wide, statement->value, out);
    text_char(out, '"');
}

static void write_loops(const struct wide *wide, const struct wide_block *block, struct text *out)
{
    text_add(out, "\"loops\": [");
    for (int k = 0; k < block->n_loop; k++) {
        text_add(out, k ? ", " : "");
        write_loop(wide, block->loop[k], out);
    }
    text_add(out, "]");
    if (block->goes_on) {
        text_add(out, ", \"while\": \"");
        wide_text(wide, block->goes_on, out);
        text_add(out, "\"");
    }
    if (block->condition) {
        text_add(out, ", \"if\": \"");
        wide_text(wide, block->condition, out);
        text_add(out, "\"");
    }
}

static void write_block(const struct wide *wide, const struct wide_block *block, bool polyhedral, struct text *out)
{
    if (polyhedral)
        polyhedral_text(wide, block, out);
    else
        write_loops(wide, block, out);
    text_add(out, ", \"body\": [");
    for (int k = 0; k < block->n_item; k++) {
        text_add(out, k ? ", " : "");
        if (block->item[k].statement) {
            write_statement(wide, block->item[k].statement, out);
        } else {
            text_char(out, '{');
            write_block(wide, block->item[k].block, false, out);
            text_char(out, '}');
        }
    }
    text_add(out, "]");
}

static void write_nests(const struct wide *wide, struct text *out)
{
    text_add(out, "\"nests\": [\n");
    for (int k = 0; k < wide->n_nest; k++) {
        const struct wide_nest *nest = &wide->nest[k];
        text_addf(out, "  {\"name\": \"%s\", ", nest->name);
        if (nest->permit)
            text_addf(out, "\"permit\": [\"%s\"], ", nest->permit);
        write_block(wide, &nest->block, nest->polyhedral, out);
        text_add(out, k + 1 < wide->n_nest ? "},\n" : "}\n],\n");
    }
}

static void write_blocks(const struct wide_array *array, struct text *out)
{
    text_add(out, ", \"layout\": {\"block\": {");
    for (int k = 0; k < array->n_block; k++)
        text_addf(out, "%s\"%d\": %d", k ? ", " : "", array->block_dim[k], array->block[k]);
    text_addf(out, "}%s}", array->turned ? ", \"order\": [1, 0]" : "");
}

static void write_layout(const struct wide *wide, const struct wide_array *array, struct text *out)
{
    if (array->n_block) {
        write_blocks(array, out);
    } else if (array->turned) {
        text_add(out, array->gap ? ", \"layout\": [1, 0]" : ", \"layout\": \"col_major\"");
    } else if (array->strided && array->n_dim == 1) {
        text_addf(out, ", \"layout\": {\"strides\": [%lld], \"offset\": %lld}", (long long)array->gap + 1,
                  (long long)array->offset);
    } else if (array->strided) {
        text_add(out, ", \"layout\": {\"strides\": [\"");
        write_affine(wide, extent_plus(array->shape[1], array->gap), out);
        text_addf(out, "\", 1], \"offset\": %lld}", (long long)array->offset);
    }
}

static void write_data(const struct wide_array *array, struct text *out)
{
    int64_t n = 1;

    for (int k = 0; k < array->n_dim; k++)
        n *= array->shape[k].c;
    text_add(out, ", \"data\": [");
    for (int64_t k = 0; k < n; k++) {
        text_add(out, k ? ", " : "");
        if (type_is_float(array->type))
            text_addf(out, "%.3f", (double)array->data[k] / 8);
        else if (array->type == TYPE_BOOL)
            text_add(out, array->data[k] ? "true" : "false");
        else
            text_addf(out, "%lld", (long long)array->data[k]);
    }
    text_add(out, "]");
}

static void write_values(const struct wide *wide, const struct wide_array *array, struct text *out)
{
    if (array->bounded)
        text_addf(out, ", \"values\": \"-64 <= %s <= 64\"", array->name);
    if (!array->index)
        return;
    text_addf(out, ", \"values\": \"%d <= %s < ", array->least, array->name);
    write_affine(wide, array->most, out);
    text_addf(out, "\"%s", array->injective ? ", \"injective\": true" : "");
}

static void write_shape(const struct wide *wide, const struct affine *shape, int n_dim, struct text *out)
{
    text_char(out, '[');
    for (int k = 0; k < n_dim; k++) {
        text_add(out, k ? ", \"" : "\"");
        write_affine(wide, shape[k], out);
        text_char(out, '"');
    }
    text_char(out, ']');
}

static void write_view(const struct wide *wide, const struct wide_array *view, struct text *out)
{
    text_addf(out, "  {\"name\": \"%s\", \"view\": {\"of\": \"%s\", \"offset\": ", view->name, view->of->name);
    write_shape(wide, view->start, view->n_dim, out);
    text_add(out, ", \"shape\": ");
    write_shape(wide, view->shape, view->n_dim, out);
    text_add(out, ", \"strides\": [");
    for (int k = 0; k < view->n_dim; k++)
        text_addf(out, "%s%d", k ? ", " : "", view->stride[k]);
    text_add(out, "]}}");
}

static void write_array(const struct wide *wide, const struct wide_array *array, struct text *out)
{
    if (array->of) {
        write_view(wide, array, out);
        return;
    }
    text_addf(out, "  {\"name\": \"%s\", \"role\": \"%s\", \"type\": \"%s\", \"shape\": ", array->name, array->role,
              type_name(array->type));
    write_shape(wide, array->shape, array->n_dim, out);
    write_layout(wide, array, out);
    write_values(wide, array, out);
    if (array->pad)
        text_addf(out, ", \"pad\": %d", array->pad);
    if (array->align)
        text_addf(out, ", \"align\": %d", array->align);
    if (array->data)
        write_data(array, out);
    text_add(out, array->zero ? ", \"init\": 0}" : "}");
}

static void write_head(const struct wide *wide, struct text *out)
{
    const char *comma = "";

    text_addf(out, "{\"polynest\": 1, \"name\": \"%s\", \"params\": [", wide->function);
    for (int k = 0; k < 2; k++)
        if (wide->param_type[k])
            text_addf(out, "%s{\"name\": \"%s\", \"type\": \"%s\"}", k ? ", " : "", wide->param[k],
                      wide->param_type[k]);
        else
            text_addf(out, "%s\"%s\"", k ? ", " : "", wide->param[k]);
    text_add(out, "],\n\"assume\": [");
    for (int k = 0; k < 2; k++) {
        text_addf(out, "%s\"%s >= %d\"", k ? ", " : "", wide->param[k], wide->least[k]);
        if (wide->multiple[k] > 1)
            text_addf(out, ", \"%s %% %d = 0\"", wide->param[k], wide->multiple[k]);
        if (wide->most[k] > 0)
            text_addf(out, ", \"%s <= %d\"", wide->param[k], wide->most[k]);
    }
    text_add(out, "],\n\"permit\": [");
    if (wide->reassociate)
        text_add(out, "\"reassociate\""), comma = ", ";
    if (wide->contract)
        text_addf(out, "%s\"contract\"", comma), comma = ", ";
    if (wide->approximate)
        text_addf(out, "%s\"approximate\"", comma);
    text_add(out, "],\n\"scalars\": [");
    for (int k = 0; k < wide->n_scalar; k++)
        text_addf(out, "%s{\"name\": \"%s\", \"type\": \"%s\"}", k ? ", " : "", wide->scalar[k].name,
                  type_name(wide->scalar[k].type));
    text_add(out, "],\n");
}

static void write_arrays(const struct wide *wide, struct text *out)
{
    text_add(out, "\"arrays\": [\n");
    for (int k = 0; k < wide->n_array; k++) {
        write_array(wide, &wide->array[k], out);
        text_add(out, k + 1 < wide->n_array ? ",\n" : "\n],\n");
    }
}

static int line_of(const struct text *text)
{
    int line = 1;

    for (size_t k = 0; k < text->size; k++)
        line += text->data[k] == '\n';
    return line;
}

static void write_steps(struct wide *wide, bool plan, struct text *out)
{
    bool any = false;

    text_addf(out, "\"%s\": [\n", plan ? "plan" : "schedule");
    for (int k = 0; k < wide->n_step; k++) {
        struct wide_step *step = &wide->step[k];
        if (step->plan != plan || step->dropped)
            continue;
        text_add(out, any ? ",\n" : "");
        step->line = line_of(out);
        text_addf(out, "  %s", text_str(&step->text));
        any = true;
    }
    text_add(out, any ? "\n]" : "]");
}

static void write_target(const struct wide *wide, struct text *out)
{
    if (wide->cuda)
        text_add(out, "\"target\": {\"language\": \"cuda\"}");
    else
        text_addf(out, "\"target\": {\"simd\": \"%s\", \"openmp\": %s}", wide->simd, wide->openmp ? "true" : "false");
}

void wide_describe(struct wide *wide, bool bare, struct text *out)
{
    write_head(wide, out);
    write_arrays(wide, out);
    write_nests(wide, out);
    if (wide->instructions.size && !bare)
        text_addf(out, "\"instructions\": [%s],\n", text_str(&wide->instructions));
    if (wide->tuned && !bare)
        text_addf(out, "\"tunables\": {\"%s\": [%d, %d]},\n", wide->tunable, wide->tuned, wide->tuned + 1);
    if (wide->variant && !bare)
        text_addf(out, "\"variants\": [{\"name\": \"v\",%s\n", wide->asks ? " \"when_supported\": true," : "");
    if (!bare) {
        write_steps(wide, false, out);
        text_add(out, ",\n");
        write_steps(wide, true, out);
        text_add(out, ",\n");
    }
    write_target(wide, out);
    if (wide->variant && !bare)
        text_add(out, wide->asks ? "}, {\"name\": \"w\"}]" : "}]");
    text_add(out, "}\n");
}
