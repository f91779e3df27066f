/* Memory of a size that c/size_product.c and c/size_sum.c computed.
 *
 * NAME = allocate
 */
static void *@NAME@(int64_t bytes)
{
    return bytes < 0 ? NULL : malloc(bytes > 0 ? (size_t)bytes : 1);
}
