/* The matrix instructions of CUDA for the shim: every thread of a warp has the whole tile and computes all of it in the
 * order of its summands; the first one stores it. */
#ifndef POLYNEST_SHIM_MMA_H
#define POLYNEST_SHIM_MMA_H

#include "half.h"
#include "shim.h"

#include <array>

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}
template <typename T> struct stored { typedef T type; };
template <> struct stored<precision::tf32> { typedef float type; };

template <typename Use, int m, int n, int k> struct extent;
template <int m, int n, int k> struct extent<matrix_a, m, n, k> { enum { rows = m, columns = k }; };
template <int m, int n, int k> struct extent<matrix_b, m, n, k> { enum { rows = k, columns = n }; };
template <int m, int n, int k> struct extent<accumulator, m, n, k> { enum { rows = m, columns = n }; };

template <typename Use, int m, int n, int k, typename T, typename Layout = void> struct fragment {
    enum { rows = extent<Use, m, n, k>::rows, columns = extent<Use, m, n, k>::columns, num_elements = rows * columns };
    typename stored<T>::type x[num_elements];
};

/* to the nearest of a fraction of 10 bits, ties away from 0 */
inline float __float_to_tf32(float a)
{
    uint32_t bits;

    std::memcpy(&bits, &a, sizeof bits);
    bits = std::isfinite(a) ? (bits + 0x1000) & ~UINT32_C(0x1fff) : bits;
    std::memcpy(&a, &bits, sizeof bits);
    return a;
}

inline double number(__half a) { return double(__half2float(a)); }
inline double number(__nv_bfloat16 a) { return double(__bfloat162float(a)); }
template <typename T> double number(T a) { return double(a); }
inline void set(__half &to, double a) { to = __double2half(a); }
template <typename T> void set(T &to, double a) { to = T(a); }

inline void check(bool good, const char *what)
{
    if (!good)
        shim::fail(what, shim::now.current, shim::now.current);
}

inline bool is_rounded(float a) { return std::isnan(a) || a == __float_to_tf32(a); }
template <typename T> bool is_rounded(T) { return true; }

/* The numbers of a factor as an instruction takes them. */
template <typename Fragment> std::array<double, Fragment::num_elements> taken(const Fragment &f)
{
    std::array<double, Fragment::num_elements> numbers;

    for (int place = 0; place < Fragment::num_elements; place++) {
        check(is_rounded(f.x[place]), "a factor of tf32 that is not rounded");
        numbers[place] = number(f.x[place]);
    }
    return numbers;
}

template <typename Fragment, typename Pointer> void load(Fragment &f, Pointer from, unsigned distance, bool by_rows)
{
    check(shim::now.block_size.x == 32, "a matrix instruction without a warp along x");
    for (unsigned r = 0; r < Fragment::rows; r++)
        for (unsigned c = 0; c < Fragment::columns; c++)
            f.x[r * Fragment::columns + c] = by_rows ? from[r * distance + c] : from[c * distance + r];
}

template <typename Use, int m, int n, int k, typename T, typename Pointer>
void load_matrix_sync(fragment<Use, m, n, k, T, row_major> &f, Pointer from, unsigned distance)
{
    load(f, from, distance, true);
}
template <typename Use, int m, int n, int k, typename T, typename Pointer>
void load_matrix_sync(fragment<Use, m, n, k, T, col_major> &f, Pointer from, unsigned distance)
{
    load(f, from, distance, false);
}
template <int m, int n, int k, typename T, typename Pointer>
void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, Pointer from, unsigned distance, layout_t layout)
{
    load(f, from, distance, layout == mem_row_major);
}

template <int m, int n, int k, typename T, typename Pointer>
void store_matrix_sync(Pointer to, const fragment<accumulator, m, n, k, T> &f, unsigned distance, layout_t layout)
{
    for (unsigned r = 0; r < m && shim::now.thread.x == 0; r++)
        for (unsigned c = 0; c < n; c++)
            to[layout == mem_row_major ? r * distance + c : c * distance + r] = f.x[r * n + c];
}

template <int m, int n, int k, typename T> void fill_fragment(fragment<accumulator, m, n, k, T> &f, T value)
{
    std::fill(f.x, f.x + m * n, value);
}

template <int m, int n, int k, typename T, typename S, typename LayoutA, typename LayoutB>
void mma_sync(fragment<accumulator, m, n, k, S> &d, const fragment<matrix_a, m, n, k, T, LayoutA> &a,
              const fragment<matrix_b, m, n, k, T, LayoutB> &b, const fragment<accumulator, m, n, k, S> &c)
{
    const auto left = taken(a), right = taken(b);

    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            S sum = c.x[i * n + j];
            for (int l = 0; l < k; l++)
                set(sum, number(sum) + left[i * k + l] * right[l * n + j]);
            d.x[i * n + j] = sum;
        }
}

} // namespace wmma
} // namespace nvcuda

#endif
