/* Memory of a size that c/size_product.c and c/size_sum.c computed. gcc 12 follows the case of no bytes, and takes what
 * is read outside of loops for not set there, which calloc is not, and what a vector writes for too much.
 *
 * NAME = allocate
 */
static void *@NAME@(int64_t bytes)
{
    return bytes < 0 ? NULL : bytes > 0 ? malloc((size_t)bytes) : calloc(1, 64);
}
