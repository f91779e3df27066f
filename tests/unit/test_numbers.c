/* The program's own functions for small numbers, which stand in the place of GMP's. */
#include "cli/numbers.h"
#include "unit.h"

#ifdef HAVE_SHARED_GMP

#include <gmp.h>
#include <limits.h>
#include <stdbool.h>

enum { N_NUMBER = 25 };

static mpz_t number[N_NUMBER];

/* Zero and, with both signs, numbers at the ends of half a word, a word less its sign, a word, and two. */
static void set_up(void)
{
    static const unsigned bits[] = {1, 2, 31, 32, 62, 63, 64, 128};
    int n = 1;

    numbers_from_lists();
    numbers_by_words();
    for (int k = 0; k < N_NUMBER; k++)
        mpz_init(number[k]);
    for (size_t k = 0; k < sizeof(bits) / sizeof(bits[0]); k++)
        for (unsigned above = 0; above < 3; above++) {
            mpz_ui_pow_ui(number[n], 2, bits[k]);
            mpz_sub_ui(number[n], number[n], 1);
            mpz_add_ui(number[n], number[n], above);
            n++;
        }
    ck_assert_int_eq(n, N_NUMBER);
}

static void tear_down(void)
{
    for (int k = 0; k < N_NUMBER; k++)
        mpz_clear(number[k]);
}

/* The k-th of the numbers and their negatives. */
static void get(mpz_t to, int k)
{
    mpz_add_ui(to, number[k / 2], 0);
    if (k % 2)
        mpz_mul_si(to, to, -1);
}

/* product = a * b, by GMP word by word */
static void multiply(mpz_t product, const mpz_t a, const mpz_t b)
{
    mpz_t part;

    mpz_init(part);
    mpz_set_ui(product, 0);
    for (size_t k = mpz_size(b); k-- > 0;) {
        mpz_mul_2exp(product, product, GMP_NUMB_BITS);
        mpz_mul_ui(part, a, mpz_getlimbn(b, (mp_size_t)k));
        mpz_add(product, product, part);
    }
    if (mpz_sgn(b) < 0)
        mpz_mul_si(product, product, -1);
    mpz_clear(part);
}

static void assert_equal(const mpz_t a, const mpz_t b)
{
    ck_assert_int_eq(mpz_cmp(a, b), 0);
    ck_assert_int_eq(mpz_sgn(a), mpz_sgn(b));
    ck_assert_uint_eq(mpz_size(a), mpz_size(b));
}

START_TEST(numbers_are_copied)
{
    mpz_t a, copy;

    mpz_inits(a, copy, NULL);
    for (int k = 0; k < 2 * N_NUMBER; k++) {
        get(a, k);
        mpz_set(copy, a);
        assert_equal(copy, a);
        mpz_set(copy, copy);
        assert_equal(copy, a);
    }
    mpz_clears(a, copy, NULL);
}
END_TEST

START_TEST(numbers_are_made_of_integers)
{
    static const long value[] = {0, 1, -1, INT_MAX, INT_MIN, LONG_MAX, LONG_MIN, LONG_MIN + 1};
    mpz_t a;

    mpz_init(a);
    for (size_t k = 0; k < sizeof(value) / sizeof(value[0]); k++) {
        mpz_set_si(a, value[k]);
        ck_assert(mpz_fits_slong_p(a));
        ck_assert_int_eq(mpz_get_si(a), value[k]);
    }
    mpz_clear(a);
}
END_TEST

START_TEST(products_and_quotients_are_exact)
{
    mpz_t a, b, product, expected;

    mpz_inits(a, b, product, expected, NULL);
    for (int i = 0; i < 2 * N_NUMBER; i++)
        for (int j = 0; j < 2 * N_NUMBER; j++) {
            get(a, i);
            get(b, j);
            multiply(expected, a, b);
            mpz_mul(product, a, b);
            assert_equal(product, expected);
            mpz_mul(b, a, b);
            assert_equal(b, expected);
            get(b, j);
            if (mpz_sgn(b) != 0) {
                mpz_divexact(product, expected, b);
                assert_equal(product, a);
                mpz_divexact(expected, expected, b);
                assert_equal(expected, a);
            }
        }
    mpz_clears(a, b, product, expected, NULL);
}
END_TEST

static void check_sum(int i, int j, int k, bool minus)
{
    mpz_t a, b, sum, expected;

    mpz_inits(a, b, sum, expected, NULL);
    get(sum, i);
    get(a, j);
    get(b, k);
    multiply(expected, a, b);
    if (minus) {
        mpz_sub(expected, sum, expected);
        mpz_submul(sum, a, b);
    } else {
        mpz_add(expected, sum, expected);
        mpz_addmul(sum, a, b);
    }
    assert_equal(sum, expected);
    mpz_clears(a, b, sum, expected, NULL);
}

START_TEST(products_are_added)
{
    for (int i = 0; i < 2 * N_NUMBER; i++)
        for (int j = 0; j < 2 * N_NUMBER; j++)
            for (int k = 0; k < 2 * N_NUMBER; k++) {
                check_sum(i, j, k, false);
                check_sum(i, j, k, true);
            }
}
END_TEST

START_TEST(a_number_is_its_own_factor)
{
    mpz_t a, square, expected;

    mpz_inits(a, square, expected, NULL);
    for (int k = 0; k < 2 * N_NUMBER; k++) {
        get(a, k);
        multiply(square, a, a);
        mpz_add(expected, a, square);
        mpz_addmul(a, a, a);
        assert_equal(a, expected);
        get(a, k);
        mpz_sub(expected, a, square);
        mpz_submul(a, a, a);
        assert_equal(a, expected);
        get(a, k);
        mpz_mul(a, a, a);
        assert_equal(a, square);
    }
    mpz_clears(a, square, expected, NULL);
}
END_TEST

UNIT_MAIN_WITH("numbers", set_up, tear_down, numbers_are_copied, numbers_are_made_of_integers,
               products_and_quotients_are_exact, products_are_added, a_number_is_its_own_factor)

#else

#include <stdio.h>

int main(void)
{
    puts("SKIP: the program has no functions in the place of GMP's");
    return 77;
}

#endif
