// Files that a server of a test reads: its settings, its certificate.
#pragma once

#include <fstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include "fleet/process.h"
#include "temp_folder.h"

namespace mintmark {

/// A folder with files that the account of a server reads.
class ServerFiles {
 public:
  explicit ServerFiles(std::string account) : account_(std::move(account)) { hand_over(""); }

  std::string write(const std::string& name, std::string_view text) {
    std::ofstream{folder_ / name} << text;
    hand_over(name);
    return folder_ / name;
  }

  /// Makes server.crt, a certificate that signed itself, for 127.0.0.1 and localhost, and server.key.
  void make_certificate() { make_certificate_for("IP:127.0.0.1,DNS:localhost"); }
  /// `names` as openssl-req(1) takes them.
  void make_certificate_for(const std::string& names) {
    const int code =
        fleet::run({"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=here",
                    "-addext", "subjectAltName=" + names, "-keyout", key(), "-out", certificate()},
                   folder_ / "words", folder_ / "words");
    if (code != 0) ADD_FAILURE() << fleet::contents(folder_ / "words");
    hand_over("server.crt");
    hand_over("server.key");
  }
  [[nodiscard]] std::string certificate() const { return folder_ / "server.crt"; }
  [[nodiscard]] std::string key() const { return folder_ / "server.key"; }

 private:
  void hand_over(const std::string& name) const {
    const passwd* entry = ::getpwnam(account_.c_str());
    if (::geteuid() != 0 || entry == nullptr) return;
    static_cast<void>(::chown((folder_ / name).c_str(), entry->pw_uid, entry->pw_gid));
  }

  std::string account_;
  TempFolder folder_;
};

}  // namespace mintmark
