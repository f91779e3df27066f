/* The same of f64.
 *
 * part of math/trig_f64.c
 */
    const @TYPE@ left = @NMADD@(n, @ALL@(1.5707963267948966), a);
    const @TYPE@ more = @NMADD@(n, @ALL@(6.1232339957367660e-17), left);
    const @TYPE@ x = @NMADD@(n, @ALL@(-1.4973849048591833e-33), more);
