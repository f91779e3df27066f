/* What every unit test needs: Check, and a main made from a list of tests. */
#ifndef TESTS_UNIT_UNIT_H
#define TESTS_UNIT_UNIT_H

#include <check.h>
#include <stdlib.h>

/* Runs all tests, each between set_up and tear_down where these are given; Check's environment (CK_FORK, CK_VERBOSITY)
 * applies. */
static inline int unit_run(const char *name, SFun set_up, SFun tear_down, const TTest *const *test, int n)
{
    Suite *suite = suite_create(name);
    TCase *cases = tcase_create(name);
    SRunner *runner = srunner_create(suite);
    int failed;

    suite_add_tcase(suite, cases);
    tcase_set_timeout(cases, 600);
    if (set_up)
        tcase_add_checked_fixture(cases, set_up, tear_down);
    for (int i = 0; i < n; i++)
        tcase_add_test(cases, test[i]);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#define UNIT_MAIN_WITH(name, set_up, tear_down, ...)                                                                   \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        const TTest *const test[] = {__VA_ARGS__};                                                                     \
                                                                                                                       \
        return unit_run(name, set_up, tear_down, test, (int)(sizeof(test) / sizeof(test[0])));                         \
    }

#define UNIT_MAIN(name, ...) UNIT_MAIN_WITH(name, NULL, NULL, __VA_ARGS__)

#endif
