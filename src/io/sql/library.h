// A shared library that is opened at run time: the client libraries of databases. Where one is missing, only
// what needs it fails, with the name of the package that brings it.
//
// Never closed again: libpq and libmariadb bring OpenSSL, which does not come off a process cleanly.
#pragma once

#include <optional>

#include "io/sql/connection.h"

namespace mintmark::io::sql {

/// One thread at a time.
class SharedLibrary {
 public:
  /// `file` as dlopen(3) looks for it; `package` of Debian.
  SharedLibrary(const char* file, const char* package);

  /// Points `function` at the library's function of that name.
  template <class Function>
  void find(const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(address(name));
  }

  /// Why it, or one of the functions, is not there; nothing if all are.
  [[nodiscard]] const std::optional<SqlFailure>& missing() const { return missing_; }

 private:
  void* address(const char* name);

  const char* file_;
  const char* package_;
  void* handle_;
  std::optional<SqlFailure> missing_;
};

}  // namespace mintmark::io::sql
