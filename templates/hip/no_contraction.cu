/* The head of a file whose products and sums are rounded one by one; __fmul_rn may be contracted there.
 */
/* a * b + c is rounded twice, as written */
#pragma clang fp contract(off)

