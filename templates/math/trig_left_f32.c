/* Of sin and cos, by fused operations: they leave no error in the product with the first part of pi / 2, since the
 * difference fits a number.
 *
 * part of math/trig_f32.c
 */
    const @TYPE@ left = @NMADD@(n, @ALL@(1.57079637f), a);
    const @TYPE@ more = @NMADD@(n, @ALL@(-4.37113883e-8f), left);
    const @TYPE@ x = @NMADD@(n, @ALL@(-1.71512489e-15f), more);
