#include "io/shared_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "io/one_line.h"

namespace mintmark::io {

SharedLibrary::SharedLibrary(const char* file, const char* package)
    : file_(file), package_(package), handle_(::dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ != nullptr) return;
  const char* words = ::dlerror();
  missing_ = fmt::format("this needs {}, of the Debian package {}: {}", file, package,
                         one_line(words == nullptr ? "not found" : words));
}

void* SharedLibrary::address(const char* name) {
  if (handle_ == nullptr) return nullptr;
  void* found = ::dlsym(handle_, name);
  if (found == nullptr && !missing_) {
    missing_ =
        fmt::format("{} has no symbol {}; the Debian package {} has it", file_, name, package_);
  }
  return found;
}

}  // namespace mintmark::io
