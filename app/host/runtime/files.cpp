// Temporary files whose folder the C library chooses: here they are created in the program's scratch folder.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" {

/// glibc's tmpfile() uses /tmp, whatever TMPDIR is, and the sandbox allows no writes there.
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
