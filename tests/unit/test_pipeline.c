/* The list of passes: what a row says of its place holds. */
#include "lower/pipeline.h"
#include "tree/verify.h"
#include "unit.h"

#include <string.h>

START_TEST(what_is_required_was_given)
{
    int n;
    const struct pass *pass = pipeline_passes(&n);
    unsigned given = 0;

    for (int k = 0; k < n; k++) {
        ck_assert_msg((pass[k].requires & ~given) == 0, "%s requires what no pass before it gives", pass[k].name);
        ck_assert_msg((pass[k].gives & given) == 0, "%s gives what was given", pass[k].name);
        given |= pass[k].gives;
    }
}
END_TEST

START_TEST(names_tell_passes_apart)
{
    int n;
    const struct pass *pass = pipeline_passes(&n);

    for (int k = 0; k < n; k++)
        ck_assert_msg(pipeline_find(pass[k].name) == &pass[k], "there are two passes %s", pass[k].name);
    ck_assert_ptr_null(pipeline_find("tree"));
    ck_assert_ptr_null(pipeline_find("all"));
}
END_TEST

START_TEST(every_pass_is_run)
{
    int n;
    const struct pass *pass = pipeline_passes(&n);

    for (int k = 0; k < n; k++) {
        ck_assert_msg(pass[k].run, "%s", pass[k].name);
        ck_assert_msg(!pass[k].inside || pipeline_find(pass[k].inside)->run, "%s is in no pass", pass[k].name);
        ck_assert_msg(k == 0 || pass[k - 1].section <= pass[k].section, "%s", pass[k].name);
    }
}
END_TEST

static void expect_brought(const struct node *node, unsigned fact)
{
    ck_assert_ptr_nonnull(tree_fact_broken(~fact & ~(unsigned)FACT_BODIES, node));
    ck_assert_ptr_null(tree_fact_broken(fact, node));
}

START_TEST(nodes_come_with_their_pass)
{
    static const struct {
        enum node_kind kind;
        unsigned fact;
    } brought[] = {
        {NODE_SWITCH, FACT_ROUTINES}, {NODE_CALL, FACT_ROUTINES},  {NODE_KERNEL, FACT_KERNELS},
        {NODE_ASSIGN, FACT_BODIES},   {NODE_BARRIER, FACT_BODIES}, {NODE_TUPLE, FACT_TUPLES},
        {NODE_PREFETCH, FACT_HINTS},  {NODE_POINTER, FACT_ROWS},   {NODE_REGION, FACT_REGIONS},
        {NODE_SINGLE, FACT_REGIONS},  {NODE_FENCE, FACT_FENCES},   {NODE_TILES, FACT_TILE_SHAPES},
        {NODE_TEXT, FACT_TEXTS},
    };

    for (size_t k = 0; k < sizeof(brought) / sizeof(brought[0]); k++)
        expect_brought(&(struct node){.kind = brought[k].kind}, brought[k].fact);
    ck_assert_ptr_null(tree_fact_broken(0, &(struct node){.kind = NODE_STATEMENT}));
    ck_assert_ptr_nonnull(tree_fact_broken(FACT_BODIES, &(struct node){.kind = NODE_STATEMENT}));
}
END_TEST

START_TEST(parts_of_nodes_come_with_their_pass)
{
    const struct vector vector = {.lanes = 4};
    const struct tensor tensor = {.m = 16};
    const struct matrix_tile tile = {.rows = 16};
    const struct threads threads = {.collapse = 1};

    expect_brought(&(struct node){.kind = NODE_IF, .n_child = 2}, FACT_ELSE);
    expect_brought(&(struct node){.kind = NODE_LET, .vector = &vector}, FACT_VECTORS);
    expect_brought(&(struct node){.kind = NODE_LET, .tensor = &tensor}, FACT_TENSORS);
    expect_brought(&(struct node){.kind = NODE_LET, .tile = &tile}, FACT_TILES);
    expect_brought(&(struct node){.kind = NODE_LOOP, .threads = &threads}, FACT_THREADS);
    expect_brought(&(struct node){.kind = NODE_LOOP, .n_pragma = 1}, FACT_HINTS);
    expect_brought(&(struct node){.kind = NODE_LET, .streams = true}, FACT_STREAMS);
    expect_brought(&(struct node){.kind = NODE_LOOP, .nowait = true}, FACT_REGIONS);
    expect_brought(&(struct node){.kind = NODE_LOOP, .n_argument_var = 1}, FACT_ARGUMENTS);
}
END_TEST

UNIT_MAIN("pipeline", nodes_come_with_their_pass, parts_of_nodes_come_with_their_pass, what_is_required_was_given,
          names_tell_passes_apart, every_pass_is_run)
