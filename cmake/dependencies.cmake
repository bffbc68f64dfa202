# What mintmark builds on: packages of Debian 12, as tools/setup.sh names them.
#
# SQLite and OpenSSL are linked statically: a shared libcrypto costs every start of the binary more
# than the making of an ID. glibc stays dynamic, for name resolution.

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# Headers alone: Beast, JSON, Asio.
find_package(Boost 1.81 REQUIRED)
add_library(mintmark_boost INTERFACE)
target_link_libraries(mintmark_boost INTERFACE Boost::headers)

if(MINTMARK_BINARY)
  find_package(CLI11 CONFIG REQUIRED)
endif()

set(OPENSSL_USE_STATIC_LIBS TRUE)
find_package(OpenSSL 3.0 REQUIRED COMPONENTS Crypto SSL)
add_library(mintmark_crypto INTERFACE)
target_link_libraries(mintmark_crypto INTERFACE OpenSSL::Crypto)
add_library(mintmark_tls INTERFACE)
target_link_libraries(mintmark_tls INTERFACE OpenSSL::SSL mintmark_crypto)

find_path(MINTMARK_SQLITE_INCLUDE sqlite3.h REQUIRED)
find_library(MINTMARK_SQLITE_LIBRARY NAMES libsqlite3.a REQUIRED)
add_library(mintmark_sqlite INTERFACE)
target_include_directories(mintmark_sqlite SYSTEM INTERFACE ${MINTMARK_SQLITE_INCLUDE})
target_link_libraries(mintmark_sqlite INTERFACE
  ${MINTMARK_SQLITE_LIBRARY} m ${CMAKE_DL_LIBS} Threads::Threads)

find_package(fmt CONFIG REQUIRED)
find_path(MINTMARK_TOML_INCLUDE toml++/toml.h REQUIRED)

# The package's own target would bring a shared library, and with it a shared libstdc++.
add_library(mintmark_toml INTERFACE)
target_compile_definitions(mintmark_toml INTERFACE TOML_HEADER_ONLY=1)
target_include_directories(mintmark_toml SYSTEM INTERFACE ${MINTMARK_TOML_INCLUDE})
