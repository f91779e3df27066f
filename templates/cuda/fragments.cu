/* The head of a file with matrix instructions.
 */
#include <mma.h>

using namespace nvcuda;

