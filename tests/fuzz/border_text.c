/* A draft as a description. */
#include "border.h"

const char *const border_loop_name[MAX_NESTS][MAX_LOOPS] = {{"i", "j", "k", "l"},
                                                            {"p", "q", "r", "s"},
                                                            {"u", "v", "w", "z"}};
const char *const border_array_name[MAX_ARRAYS] = {"a", "b", "c", "d", "e", "f"};

static void add_term(struct text *out, int factor, const char *name, bool *empty)
{
    const int size = factor < 0 ? -factor : factor;

    if (factor == 0)
        return;
    text_add(out, *empty ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + "));
    if (size != 1 || !name)
        text_addf(out, "%d%s", size, name ? " * " : "");
    text_add(out, name ? name : "");
    *empty = false;
}

static void write_form(struct text *out, const struct form *form, const char *const *name)
{
    const bool whole = !form->divide && !form->modulo;
    bool empty = true;

    text_add(out, whole ? "" : "(");
    for (int k = 0; k < MAX_LOOPS; k++)
        add_term(out, form->loop[k], name ? name[k] : "", &empty);
    add_term(out, form->n, "N", &empty);
    add_term(out, form->m, "M", &empty);
    add_term(out, form->constant, NULL, &empty);
    text_add(out, empty ? "0" : "");
    text_add(out, whole ? "" : ")");
    if (form->divide)
        text_addf(out, " / %d", form->divide);
    if (form->modulo)
        text_addf(out, " %% %d", form->modulo);
}

static void write_list(struct text *out, const char *key, const struct form *form, int n)
{
    text_addf(out, "\"%s\": [", key);
    for (int k = 0; k < n; k++) {
        text_add(out, k ? ", \"" : "\"");
        write_form(out, &form[k], NULL);
        text_char(out, '"');
    }
    text_char(out, ']');
}

static void write_view(struct text *out, const struct array *array, const char *name)
{
    text_addf(out, ",\n  {\"name\": \"%s_view\", \"view\": {\"of\": \"%s\", ", name, name);
    write_list(out, "offset", array->view_offset, array->n_dim);
    text_add(out, ", ");
    write_list(out, "shape", array->view_size, array->n_dim);
    text_add(out, ", \"strides\": [");
    for (int k = 0; k < array->n_dim; k++)
        text_addf(out, "%s%d", k ? ", " : "", array->view_stride[k]);
    text_add(out, "]}}");
}

static void write_arrays(struct text *out, const struct draft *draft)
{
    for (int k = 0; k < draft->n_array; k++) {
        const struct array *array = &draft->array[k];
        text_addf(out, "%s\n  {\"name\": \"%s\", \"role\": \"%s\", \"type\": \"%s\", ", k ? "," : "",
                  border_array_name[k], array->role, draft->integers ? "i32" : "f32");
        write_list(out, "shape", array->size, array->n_dim);
        text_add(out, array->zero ? ", \"init\": 0" : "");
        if (array->strided) {
            text_add(out, ", \"layout\": {");
            write_list(out, "strides", array->stride, array->n_dim);
            text_add(out, ", \"offset\": \"");
            write_form(out, &array->offset, NULL);
            text_add(out, "\"}");
        }
        text_add(out, "}");
        if (array->viewed)
            write_view(out, array, border_array_name[k]);
    }
}

static void write_use(struct text *out, const struct draft *draft, const struct use *use, const char *const *name)
{
    const struct array *array = &draft->array[use->array];

    text_addf(out, "%s%s[", border_array_name[use->array], array->viewed ? "_view" : "");
    for (int k = 0; k < array->n_dim; k++) {
        text_add(out, k ? ", " : "");
        write_form(out, &use->at[k], name);
    }
    text_char(out, ']');
}

static void write_line(struct text *out, const struct draft *draft, int nest, int number)
{
    const struct line *line = &draft->nest[nest].line[number];
    const char *const *name = border_loop_name[nest];

    if (line->guarded) {
        text_add(out, "{\"if\": \"");
        write_form(out, &line->guard, name);
        text_add(out, " >= 0\", \"body\": [");
    }
    text_addf(out, "\"S%d: ", draft_label(draft, nest, number));
    write_use(out, draft, &line->target, name);
    text_add(out, line->updates ? " += " : " = ");
    for (int k = 0; k < line->n_read; k++) {
        text_add(out, k ? " + " : "");
        write_use(out, draft, &line->read[k], name);
        text_add(out, draft->integers ? "" : " * 0.5");
    }
    text_add(out, line->n_read ? "\"" : "1\"");
    text_add(out, line->guarded ? "]}" : "");
}

static void write_loop(struct text *out, const struct span *span, const char *const *name, int depth)
{
    text_char(out, '"');
    write_form(out, &span->low, name);
    text_addf(out, " <= %s < ", name[depth]);
    write_form(out, &span->high, name);
    if (span->step != 1)
        text_addf(out, " step %d", span->step);
    text_char(out, '"');
}

/* The lines first .. end - 1, all inside of the first `depth` loops. */
static void write_body(struct text *out, const struct draft *draft, int number, int first, int end, int depth)
{
    const struct nest *nest = &draft->nest[number];

    for (int k = first, next; k < end; k = next) {
        next = k + 1;
        text_add(out, k > first ? ",\n    " : "");
        if (nest->line[k].depth == depth) {
            write_line(out, draft, number, k);
            continue;
        }
        while (next < end && nest->line[next].depth > depth)
            next++;
        text_add(out, "{\"loops\": [");
        write_loop(out, &nest->loop[depth], border_loop_name[number], depth);
        text_add(out, "], \"body\": [");
        write_body(out, draft, number, k, next, depth + 1);
        text_add(out, "]}");
    }
}

/* "S0[i, j]" and so on for all lines, with what stands in front and behind. */
static void write_domain(struct text *out, const struct draft *draft, int number)
{
    const struct nest *nest = &draft->nest[number];
    const char *const *name = border_loop_name[number];

    for (int s = 0; s < nest->n_line; s++) {
        text_addf(out, "%sS%d[", s ? "; " : "", draft_label(draft, number, s));
        for (int k = 0; k < nest->n_loop; k++)
            text_addf(out, "%s%s", k ? ", " : "", name[k]);
        text_add(out, "] : ");
        for (int k = 0; k < nest->n_loop; k++) {
            text_add(out, k ? " and " : "");
            write_form(out, &nest->loop[k].low, name);
            text_addf(out, " <= %s < ", name[k]);
            write_form(out, &nest->loop[k].high, name);
        }
    }
}

static void write_time(struct text *out, const struct form *form, const char *const *name)
{
    if (!form->divide && !form->modulo) {
        write_form(out, form, name);
        return;
    }
    struct form plain = *form;
    plain.divide = plain.modulo = 0;
    text_add(out, form->divide ? "floor((" : "(");
    write_form(out, &plain, name);
    text_addf(out, form->divide ? ") / %d)" : ") mod %d", form->divide ? form->divide : form->modulo);
}

/* " : i >= 1; S0[i] -> [1 + i] : i <= 0" */
static void write_second_time(struct text *out, const struct nest *nest, int label, const char *const *name)
{
    text_addf(out, " : %s >= %d; S%d[", name[0], nest->timed_from, label);
    for (int k = 0; k < nest->n_loop; k++)
        text_addf(out, "%s%s", k ? ", " : "", name[k]);
    text_add(out, "] -> [");
    for (int k = 0; k < nest->n_time; k++) {
        text_add(out, k ? ", 1 + " : "1 + ");
        write_time(out, &nest->time[k], name);
    }
    text_addf(out, "] : %s <= %d", name[0], nest->timed_till);
}

static void write_order(struct text *out, const struct draft *draft, int number)
{
    const struct nest *nest = &draft->nest[number];
    const char *const *name = border_loop_name[number];

    for (int s = 0; s < nest->n_line; s++) {
        text_addf(out, "%sS%d[", s ? "; " : "", draft_label(draft, number, s));
        for (int k = 0; k < nest->n_loop; k++)
            text_addf(out, "%s%s", k ? ", " : "", name[k]);
        text_add(out, "] -> [");
        for (int k = 0; k < nest->n_time; k++) {
            text_add(out, k ? ", " : "");
            write_time(out, &nest->time[k], name);
        }
        text_char(out, ']');
        if (s == 0 && nest->timed)
            write_second_time(out, nest, draft_label(draft, number, s), name);
    }
}

static void write_nest(struct text *out, const struct draft *draft, int number)
{
    const struct nest *nest = &draft->nest[number];

    text_addf(out, "%s\n  {\"name\": \"n%d\"", number ? "," : "", number);
    if (nest->polyhedral) {
        text_add(out, ", \"domain\": \"[N, M] -> { ");
        write_domain(out, draft, number);
        text_add(out, " }\", \"order\": \"[N, M] -> { ");
        write_order(out, draft, number);
        text_add(out, " }\", \"body\": [\n    ");
        for (int s = 0; s < nest->n_line; s++) {
            text_add(out, s ? ", " : "");
            write_line(out, draft, number, s);
        }
    } else {
        text_add(out, ", \"body\": [\n    ");
        write_body(out, draft, number, 0, nest->n_line, 0);
    }
    text_add(out, "]}");
}

static void write_assumptions(struct text *out, const struct draft *draft)
{
    static const char *const name[] = {"N", "M"};

    text_add(out, "\"assume\": [");
    for (int k = 0; k < 2; k++) {
        text_addf(out, "%s\"%s >= %d\"", k ? ", " : "", name[k], draft->least[k]);
        if (draft->multiple[k])
            text_addf(out, ", \"%s %% %d = 0\"", name[k], draft->multiple[k]);
    }
    text_add(out, "],\n");
}

void draft_write(const struct draft *draft, struct text *out)
{
    text_add(out, "{\"polynest\": 1, \"name\": \"border\", \"params\": [\"N\", \"M\"],\n");
    write_assumptions(out, draft);
    text_add(out, draft->reassociate ? "\"permit\": [\"reassociate\"],\n" : "");
    text_add(out, "\"arrays\": [");
    write_arrays(out, draft);
    text_add(out, "],\n\"nests\": [");
    for (int k = 0; k < draft->n_nest; k++)
        write_nest(out, draft, k);
    text_add(out, "]");
    if (draft->schedule.size)
        text_addf(out, ",\n\"schedule\": [%s]", text_str(&draft->schedule));
    if (draft->plan.size)
        text_addf(out, ",\n\"plan\": [%s]", text_str(&draft->plan));
    if (draft->target.size)
        text_addf(out, ",\n\"target\": {%s}", text_str(&draft->target));
    text_add(out, "}\n");
}
