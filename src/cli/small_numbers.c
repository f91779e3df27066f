#include "cli/numbers.h"

#ifdef HAVE_SHARED_GMP

#include <dlfcn.h>
#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

#define VISIBLE __attribute__((visibility("default")))

/* GMP's own functions, for numbers of more than a word. */
static struct {
    void (*set)(mpz_ptr to, mpz_srcptr from);
    void (*mul)(mpz_ptr to, mpz_srcptr a, mpz_srcptr b);
    void (*addmul)(mpz_ptr to, mpz_srcptr a, mpz_srcptr b);
    void (*submul)(mpz_ptr to, mpz_srcptr a, mpz_srcptr b);
    void (*divexact)(mpz_ptr to, mpz_srcptr a, mpz_srcptr b);
} gmp;

static bool is_word(mpz_srcptr number)
{
    return number->_mp_size >= -1 && number->_mp_size <= 1;
}

static mp_limb_t word(mpz_srcptr number)
{
    return number->_mp_size ? number->_mp_d[0] : 0;
}

/* sign: -1, 0 or 1, which is also how many words GMP says that there are */
static void set_word(mpz_ptr to, mp_limb_t magnitude, int sign)
{
    if (sign && to->_mp_alloc < 1)
        _mpz_realloc(to, 1);
    if (sign)
        to->_mp_d[0] = magnitude;
    to->_mp_size = sign;
}

static bool as_integer(mpz_srcptr number, int64_t *value)
{
    if (!is_word(number) || word(number) > INT64_MAX)
        return false;
    *value = number->_mp_size < 0 ? -(int64_t)word(number) : (int64_t)word(number);
    return true;
}

VISIBLE void mpz_set(mpz_ptr to, mpz_srcptr from)
{
    if (is_word(from))
        set_word(to, word(from), from->_mp_size);
    else
        gmp.set(to, from);
}

VISIBLE void mpz_set_si(mpz_ptr to, long from)
{
    set_word(to, from < 0 ? -(mp_limb_t)from : (mp_limb_t)from, (from > 0) - (from < 0));
}

VISIBLE void mpz_mul(mpz_ptr to, mpz_srcptr a, mpz_srcptr b)
{
    mp_limb_t product;

    if (is_word(a) && is_word(b) && !__builtin_mul_overflow(word(a), word(b), &product))
        set_word(to, product, a->_mp_size * b->_mp_size);
    else
        gmp.mul(to, a, b);
}

/* *result = value + a * b, or minus that. False: one of them is too large. */
static bool add_product(mpz_srcptr value, mpz_srcptr a, mpz_srcptr b, bool minus, int64_t *result)
{
    int64_t before, factor[2], product;

    if (!as_integer(value, &before) || !as_integer(a, &factor[0]) || !as_integer(b, &factor[1]) ||
        __builtin_mul_overflow(factor[0], factor[1], &product))
        return false;
    return minus ? !__builtin_sub_overflow(before, product, result) : !__builtin_add_overflow(before, product, result);
}

VISIBLE void mpz_addmul(mpz_ptr to, mpz_srcptr a, mpz_srcptr b)
{
    int64_t sum;

    if (!a->_mp_size || !b->_mp_size)
        return;
    if (add_product(to, a, b, false, &sum))
        mpz_set_si(to, sum);
    else
        gmp.addmul(to, a, b);
}

VISIBLE void mpz_submul(mpz_ptr to, mpz_srcptr a, mpz_srcptr b)
{
    int64_t difference;

    if (!a->_mp_size || !b->_mp_size)
        return;
    if (add_product(to, a, b, true, &difference))
        mpz_set_si(to, difference);
    else
        gmp.submul(to, a, b);
}

VISIBLE void mpz_divexact(mpz_ptr to, mpz_srcptr a, mpz_srcptr b)
{
    if (is_word(a) && is_word(b) && b->_mp_size)
        set_word(to, word(a) / word(b), a->_mp_size * b->_mp_size);
    else
        gmp.divexact(to, a, b);
}

void numbers_by_words(void)
{
    *(void **)&gmp.set = dlsym(RTLD_NEXT, "__gmpz_set");
    *(void **)&gmp.mul = dlsym(RTLD_NEXT, "__gmpz_mul");
    *(void **)&gmp.addmul = dlsym(RTLD_NEXT, "__gmpz_addmul");
    *(void **)&gmp.submul = dlsym(RTLD_NEXT, "__gmpz_submul");
    *(void **)&gmp.divexact = dlsym(RTLD_NEXT, "__gmpz_divexact");
}

#else

void numbers_by_words(void)
{
}

#endif
