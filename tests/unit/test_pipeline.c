/* The list of passes: what a row says of its place holds. */
#include "lower/pipeline.h"
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
        ck_assert_msg((pass[k].run == NULL) == (pass[k].inside != NULL), "%s", pass[k].name);
        ck_assert_msg(!pass[k].inside || pipeline_find(pass[k].inside)->run, "%s is in no pass", pass[k].name);
        ck_assert_msg(k == 0 || pass[k - 1].section <= pass[k].section, "%s", pass[k].name);
    }
}
END_TEST

UNIT_MAIN("pipeline", what_is_required_was_given, names_tell_passes_apart, every_pass_is_run)
