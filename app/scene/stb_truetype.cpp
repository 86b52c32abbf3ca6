// The one place where stb_truetype is compiled.
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_truetype.h>
