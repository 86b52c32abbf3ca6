// Files that the C library makes at a place of its own choice: here they lie in the program's scratch folder.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" {

/// glibc's lies below /tmp, whatever TMPDIR is, and the sandbox lets the program write nothing there.
FILE* tmpfile() {
    const char* const folder = std::getenv("TMPDIR");
    std::string path = std::string(folder != nullptr ? folder : "/tmp") + "/XXXXXX";
    const int file = mkstemp(path.data());
    if (file < 0) return nullptr;
    unlink(path.c_str());
    return fdopen(file, "w+");
}
FILE* tmpfile64() { return tmpfile(); }

}  // extern "C"
