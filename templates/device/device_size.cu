/* Bytes of an allocation on the device.
 *
 * NAME = device_size
 */
/* what to allocate for so many bytes: at least one, and too many for a size that is none */
static inline size_t @NAME@(int64_t bytes)
{
    return bytes < 0 ? SIZE_MAX : bytes > 0 ? (size_t)bytes : 1;
}
