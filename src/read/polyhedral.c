/* Nests in polyhedral form: domains and order in isl's notation. */
#include "poly/keep.h"
#include "poly/sample.h"
#include "program/isl_text.h"
#include "program/show.h"
#include "read/calls.h"
#include "read/reader.h"

#include <string.h>

enum { MAX_DIMENSIONS = 24 };

struct polyhedral {
    struct reader *reader;
    struct nest *nest;
    const struct value *domain;
    isl_set_list *sets;   /* of "domain" */
    isl_union_map *order; /* as written; NULL: there is none */
};

struct tuple {
    const char *label;
    isl_set *set; /* NULL: not found */
};

/* The set whose tuple is label, or NULL. */
static __isl_give isl_set *find_set(__isl_keep isl_set_list *sets, const char *label)
{
    const isl_size n = isl_set_list_n_set(sets);

    for (isl_size k = 0; k < n; k++) {
        isl_set *set = isl_set_list_get_set(sets, k);

        if (isl_set_has_tuple_name(set) == isl_bool_true && strcmp(isl_set_get_tuple_name(set), label) == 0)
            return set;
        isl_set_free(set);
    }
    return NULL;
}

static isl_stat take_empty(__isl_take isl_map *map, void *user)
{
    struct tuple *tuple = user;

    if (isl_map_has_tuple_name(map, isl_dim_in) == isl_bool_true &&
        strcmp(isl_map_get_tuple_name(map, isl_dim_in), tuple->label) == 0)
        tuple->set = tuple->set ? tuple->set : isl_set_empty(isl_space_domain(isl_map_get_space(map)));
    isl_map_free(map);
    return isl_stat_ok;
}

/* isl forgets tuples whose conditions it sees to exclude each other; the order still has them. NULL: it has not. */
static __isl_give isl_set *find_empty(const struct polyhedral *poly, const char *label)
{
    struct tuple tuple = {label, NULL};

    if (poly->order)
        isl_union_map_foreach_map(poly->order, take_empty, &tuple);
    return tuple.set;
}

/* The loops of the domain: its dimensions' names, i0, i1, .. where they have none. */
static bool name_loops(struct polyhedral *poly, __isl_keep isl_set *set, const char **loop, struct scope *scope)
{
    const isl_size n = isl_set_dim(set, isl_dim_set);

    *scope = (struct scope){.program = poly->reader->program, .loop = loop};
    if (n > MAX_DIMENSIONS) {
        diag_error(poly->reader->diags, "too-large", poly->domain->place, "a statement has at most %d dimensions",
                   MAX_DIMENSIONS);
        return false;
    }
    for (isl_size k = 0; k < n; k++) {
        const char *name = isl_set_get_dim_name(set, isl_dim_set, (unsigned)k);

        name = name ? arena_copy(poly->reader->arena, name) : arena_printf(poly->reader->arena, "i%d", (int)k);
        if (!check_loop_name(poly->reader, name, poly->domain->place, scope))
            return false;
        loop[k] = name;
        scope->n_loop++;
    }
    return n >= 0;
}

static __isl_give isl_set *rename_dimensions(__isl_take isl_set *set, const struct scope *scope)
{
    for (int k = 0; k < scope->n_loop; k++)
        set = isl_set_set_dim_name(set, isl_dim_set, (unsigned)k, scope->loop[k]);
    return set;
}

static bool check_bounded(struct polyhedral *poly, __isl_keep isl_set *set, const char *label)
{
    const isl_size n = isl_set_dim(set, isl_dim_set);

    for (isl_size k = 0; k < n; k++) {
        if (isl_set_dim_is_bounded(set, isl_dim_set, (unsigned)k) != isl_bool_false)
            continue;
        diag_error(poly->reader->diags, "unbounded", poly->domain->place,
                   "the domain of %s has no bound in its dimension %d", label, (int)k);
        return false;
    }
    return true;
}

/* The label that starts the text, or NULL. */
static const char *label_of(struct arena *arena, const struct value *string)
{
    const char *start = string->string + strspn(string->string, " ");
    const size_t length = strcspn(start, " :[");
    const char *rest = start + length + strspn(start + length, " ");

    return length && *rest == ':' ? arena_copy_n(arena, start, length) : NULL;
}

static struct statement *read_labelled(struct polyhedral *poly, const struct value *string, const char *label,
                                       __isl_take isl_set *set)
{
    const char *loop[MAX_DIMENSIONS];
    struct statement *statement = NULL;
    struct scope scope;

    if (call_is(poly->reader, string))
        diag_hint(poly->reader->diags,
                  diag_error(poly->reader->diags, "polyhedral", string->place,
                             "a nest with a \"domain\" has statements that assign, no calls"),
                  "write the nest with \"loops\"");
    else if (name_loops(poly, set, loop, &scope) && check_bounded(poly, set, label))
        statement = read_statement(poly->reader, poly->nest, string, &scope);
    if (!statement) {
        isl_set_free(set);
        return NULL;
    }
    statement->domain = poly_keep_set(poly->reader->arena, rename_dimensions(set, &scope));
    return statement;
}

static struct statement *read_body_item(struct polyhedral *poly, const struct value *string)
{
    struct reader *reader = poly->reader;
    const char *label;
    isl_set *set;

    if (!check_kind(reader, string, VALUE_STRING, "a statement of a nest with a domain"))
        return NULL;
    label = label_of(reader->arena, string);
    if (!label) {
        diag_error(reader->diags, "polyhedral", string->place, "a statement of a nest with a domain needs its label");
        return NULL;
    }
    set = find_set(poly->sets, label);
    set = set ? set : find_empty(poly, label);
    if (set)
        return read_labelled(poly, string, label, set);
    diag_error(reader->diags, "polyhedral", string->place, "the domain has no tuple %s", label);
    return NULL;
}

static bool read_body(struct polyhedral *poly, const struct value *object)
{
    const struct value *list = value_member(object, "body");
    struct block *block = poly->nest->body;
    bool good = true;

    block->item = ARENA_ARRAY(poly->reader->arena, list->n_item, struct item);
    for (int k = 0; k < list->n_item; k++) {
        struct statement *statement = read_body_item(poly, &list->item[k]);

        if (statement)
            block->item[block->n_item++].statement = statement;
        good = good && statement;
    }
    return good;
}

/* Every tuple of the domain is a statement of the body. */
static bool check_tuples(struct polyhedral *poly)
{
    const isl_size n = isl_set_list_n_set(poly->sets);
    const struct block *block = poly->nest->body;
    bool good = true;

    for (isl_size k = 0; k < n; k++) {
        isl_set *set = isl_set_list_get_set(poly->sets, k);
        const bool named = isl_set_has_tuple_name(set) == isl_bool_true && !isl_set_is_wrapping(set);
        const char *name = named ? isl_set_get_tuple_name(set) : NULL;
        bool found = false;

        for (int s = 0; s < block->n_item && named; s++)
            found = found || strcmp(block->item[s].statement->label, name) == 0;
        if (!found)
            diag_error(poly->reader->diags, "polyhedral", poly->domain->place, "the domain's tuple %s is no statement",
                       named ? name : "without a name");
        good = good && found;
        isl_set_free(set);
    }
    return good;
}

/* map with its tuples filled up with zeros to n dimensions. */
static __isl_give isl_map *pad_range(__isl_take isl_map *map, int n)
{
    const isl_size have = isl_map_dim(map, isl_dim_out);

    if (have < 0)
        return isl_map_free(map);
    map = isl_map_add_dims(map, isl_dim_out, (unsigned)(n - have));
    for (isl_size k = have; k < n; k++)
        map = isl_map_fix_si(map, isl_dim_out, (unsigned)k, 0);
    return map;
}

static int longest_range(__isl_keep isl_map_list *maps)
{
    const isl_size n = isl_map_list_n_map(maps);
    int longest = 0;

    for (isl_size k = 0; k < n; k++) {
        isl_map *map = isl_map_list_get_map(maps, k);
        const isl_size have = isl_map_dim(map, isl_dim_out);

        longest = have > longest ? have : longest;
        isl_map_free(map);
    }
    return longest;
}

/* The map's domain is a statement of the nest with as many dimensions, its range has no name. */
static bool check_order_map(struct polyhedral *poly, const struct value *order, __isl_keep isl_map *map)
{
    const struct block *block = poly->nest->body;
    const char *name = isl_map_has_tuple_name(map, isl_dim_in) ? isl_map_get_tuple_name(map, isl_dim_in) : "(no name)";

    if (isl_map_has_tuple_name(map, isl_dim_out) == isl_bool_true || isl_map_range_is_wrapping(map)) {
        diag_error(poly->reader->diags, "order", order->place, "the times of an order are tuples without a name");
        return false;
    }
    for (int s = 0; s < block->n_item; s++)
        if (strcmp(block->item[s].statement->label, name) == 0 &&
            block->item[s].statement->n_loop == isl_map_dim(map, isl_dim_in))
            return true;
    diag_error(poly->reader->diags, "order", order->place, "the order's %s is no statement with its dimensions", name);
    return false;
}

static __isl_give isl_union_map *pad_order(struct polyhedral *poly, const struct value *order,
                                           __isl_take isl_union_map *map)
{
    isl_map_list *maps = isl_union_map_get_map_list(map);
    const isl_size n = isl_map_list_n_map(maps);
    const int longest = longest_range(maps);
    isl_union_map *padded = isl_union_map_empty(isl_union_map_get_space(map));
    bool good = true;

    for (isl_size k = 0; k < n; k++) {
        isl_map *one = isl_map_list_get_map(maps, k);

        good = check_order_map(poly, order, one) && good;
        padded = isl_union_map_add_map(padded, pad_range(one, longest));
    }
    poly->nest->n_order_names = longest;
    isl_map_list_free(maps);
    isl_union_map_free(map);
    return good ? padded : isl_union_map_free(padded);
}

/* Reports the smallest instance of the set, which the order does not treat well. */
static void report_instance(struct polyhedral *poly, const struct value *order, const char *label,
                            __isl_take isl_set *set, const char *what)
{
    struct sample sample;
    struct text text = {0};

    if (poly_smallest(poly->reader->arena, isl_set_copy(set), &sample)) {
        show_point(&text, label, sample.dim, sample.n_dim);
        show_params(&text, poly->reader->program, &sample, set);
        diag_error(poly->reader->diags, "order", order->place, "the order gives %s to %s", what, text_str(&text));
    }
    text_free(&text);
    isl_set_free(set);
}

static __isl_give isl_map *map_of(__isl_keep isl_union_map *order, __isl_keep isl_set *domain, int n)
{
    isl_space *space = isl_space_add_dims(isl_space_from_domain(isl_set_get_space(domain)), isl_dim_out, (unsigned)n);

    return isl_union_map_extract_map(order, space);
}

/* The instances whose first time is not their last one. */
static __isl_give isl_set *timed_twice(__isl_keep isl_map *times)
{
    isl_map *first, *last;

    if (isl_map_is_single_valued(times) == isl_bool_true)
        return isl_set_empty(isl_space_domain(isl_map_get_space(times)));
    first = isl_map_lexmin(isl_map_copy(times));
    last = isl_map_lexmax(isl_map_copy(times));
    return isl_map_domain(isl_map_subtract(last, first));
}

static bool check_order(struct polyhedral *poly, const struct value *order, __isl_keep isl_union_map *map)
{
    const struct block *block = poly->nest->body;
    const int errors = poly->reader->diags->errors;

    for (int s = 0; s < block->n_item; s++) {
        const struct statement *statement = block->item[s].statement;
        isl_map *times = map_of(map, statement->domain, poly->nest->n_order_names);
        isl_set *domain = isl_set_copy(statement->domain), *missing;

        domain = isl_set_intersect_params(domain, isl_set_copy(reader_assumed(poly->reader)));
        times = isl_map_intersect_domain(times, domain);
        missing = isl_set_subtract(isl_set_copy(statement->domain), isl_map_domain(isl_map_copy(times)));
        missing = isl_set_intersect_params(missing, isl_set_copy(reader_assumed(poly->reader)));
        report_instance(poly, order, statement->label, timed_twice(times), "more than one time");
        report_instance(poly, order, statement->label, missing, "no time");
        isl_map_free(times);
    }
    return poly->reader->diags->errors == errors;
}

static bool name_order(struct polyhedral *poly, const struct value *object)
{
    struct reader *reader = poly->reader;
    const struct value *as = value_member(object, "as");
    struct nest *nest = poly->nest;
    struct scope scope = {.program = reader->program};

    nest->order_names = ARENA_ARRAY(reader->arena, nest->n_order_names, const char *);
    for (int k = 0; k < nest->n_order_names; k++)
        nest->order_names[k] =
            program_default_name(reader->arena, reader->program, arena_printf(reader->arena, "t%d", k), NULL, 0);
    if (!as)
        return true;
    if (as->n_item != nest->n_order_names) {
        diag_error(reader->diags, "order", as->place, "the order has %d dimensions, this names %d", nest->n_order_names,
                   as->n_item);
        return false;
    }
    for (int k = 0; k < as->n_item; k++) {
        if (!check_kind(reader, &as->item[k], VALUE_STRING, "a loop") ||
            !check_loop_name(reader, as->item[k].string, as->item[k].place, &scope))
            return false;
        nest->order_names[k] = as->item[k].string;
        scope.loop = nest->order_names;
        scope.n_loop = k + 1;
    }
    return true;
}

static void read_order(struct polyhedral *poly, const struct value *object, const struct value *order)
{
    isl_union_map *map = pad_order(poly, order, isl_union_map_copy(poly->order));

    if (map && name_order(poly, object) && check_order(poly, order, map))
        poly->nest->order = poly_keep_union_map(poly->reader->arena, map);
    else
        isl_union_map_free(map);
}

/* One statement without an order runs in lexicographic order under its own names. */
static void default_order(struct polyhedral *poly, const struct value *object)
{
    const struct block *block = poly->nest->body;
    const struct statement *statement = block->item[0].statement;
    isl_map *map;

    if (block->n_item != 1) {
        diag_error(poly->reader->diags, "missing-key", object->place, "a domain of several statements needs \"order\"");
        return;
    }
    map = isl_map_identity(isl_space_map_from_set(isl_set_get_space(statement->domain)));
    map = isl_map_reset_tuple_id(map, isl_dim_out);
    poly->nest->n_order_names = statement->n_loop;
    if (!name_order(poly, object))
        map = isl_map_free(map);
    else if (!value_member(object, "as"))
        poly->nest->order_names = statement->loop_name;
    poly->nest->order = poly_keep_union_map(poly->reader->arena, isl_union_map_from_map(map));
}

static void refuse_loops(struct reader *reader, const struct value *object)
{
    static const char *const keys[] = {"loops", "while", "if"};

    for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++)
        if (value_member(object, keys[k]))
            diag_error(reader->diags, "polyhedral", value_member(object, keys[k])->place,
                       "\"%s\" and \"domain\" exclude each other", keys[k]);
}

void read_polyhedral(struct reader *reader, struct nest *nest, const struct value *object)
{
    struct polyhedral poly = {.reader = reader, .nest = nest};
    const struct value *order = value_member(object, "order");
    isl_union_set *domain;

    refuse_loops(reader, object);
    poly.domain = value_member(object, "domain");
    domain = isl_text_union_set(reader->program, poly.domain, reader->diags);
    if (!domain)
        return;
    poly.sets = isl_union_set_get_set_list(domain);
    poly.order = order ? isl_text_union_map(reader->program, order, reader->diags) : NULL;
    if (read_body(&poly, object) && check_tuples(&poly) && nest->body->n_item > 0) {
        if (poly.order)
            read_order(&poly, object, order);
        else if (!order)
            default_order(&poly, object);
    }
    isl_set_list_free(poly.sets);
    isl_union_map_free(poly.order);
    isl_union_set_free(domain);
}
