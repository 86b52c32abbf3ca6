// The only file that compiles stb_truetype.
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb_truetype.h>
