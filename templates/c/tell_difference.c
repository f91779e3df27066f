/* What the comparison of results does where one differs; there is one line for each of them.
 *
 * part of c/is_other.c
 * FUNCTION = gemm
 * ELEMENT = C[%lld]
 * FORMAT = %.9g
 * VALUES = (long long)i, C[i], C_expected[i]
 */
fprintf(stderr, "@FUNCTION@: @ELEMENT@ is @FORMAT@, @FORMAT@ expected\n", @VALUES@);
