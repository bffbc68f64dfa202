// A shared library that is opened at run time: the client libraries of databases and of ZooKeeper. Where one
// is missing, only what needs it fails, with the name of the package that brings it.
//
// Never closed again: libpq and libmariadb bring OpenSSL, which does not come off a process cleanly.
#pragma once

#include <optional>
#include <string>

namespace mintmark::io {

/// One thread at a time.
class SharedLibrary {
 public:
  /// `file` as dlopen(3) looks for it; `package` of Debian.
  SharedLibrary(const char* file, const char* package);

  /// Points `symbol` at the library's function, or data, of that name.
  template <class Symbol>
  void find(const char* name, Symbol*& symbol) {
    symbol = reinterpret_cast<Symbol*>(address(name));
  }

  /// Why it, or one of the symbols, is not there, on one line; nothing if all are.
  [[nodiscard]] const std::optional<std::string>& missing() const { return missing_; }

 private:
  void* address(const char* name);

  const char* file_;
  const char* package_;
  void* handle_;
  std::optional<std::string> missing_;
};

}  // namespace mintmark::io
