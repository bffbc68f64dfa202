# libmintmark: the floors from io to c as one library, shared and static.
#
# Which symbols it has is written in libmintmark.map. SQLite and OpenSSL stay outside of both: a process must
# not have two copies of SQLite with one file open, because closing it in the one drops the locks of the
# other (sqlite.org, "How To Corrupt An SQLite Database File", 2.2.1).

# The one floor that is seen from outside; the map decides what of it.
set_target_properties(mintmark_c PROPERTIES
  CXX_VISIBILITY_PRESET default VISIBILITY_INLINES_HIDDEN OFF)
target_compile_definitions(mintmark_c PRIVATE MINTMARK_VERSION="${PROJECT_VERSION}")

set(objects "")
foreach(floor io lease store mint c)
  list(APPEND objects $<TARGET_OBJECTS:mintmark_${floor}>)
endforeach()

find_library(MINTMARK_SQLITE_SHARED NAMES libsqlite3.so REQUIRED)
find_library(MINTMARK_CRYPTO_SHARED NAMES libcrypto.so REQUIRED)
find_library(MINTMARK_TLS_SHARED NAMES libssl.so REQUIRED)
set(map ${PROJECT_SOURCE_DIR}/cmake/libmintmark.map)

add_library(mintmark_shared SHARED ${objects})
add_library(mintmark::mintmark ALIAS mintmark_shared)
target_link_libraries(mintmark_shared
  PUBLIC mintmark_headers
  PRIVATE mintmark_flags ${MINTMARK_SQLITE_SHARED} ${MINTMARK_TLS_SHARED} ${MINTMARK_CRYPTO_SHARED}
    Threads::Threads)
target_link_options(mintmark_shared PRIVATE
  -Wl,--version-script=${map}
  # Threads and their pools outlive a dlclose.
  -Wl,-z,nodelete)
if(NOT MINTMARK_SANITIZE)
  target_link_options(mintmark_shared PRIVATE -Wl,-z,defs)
endif()
set_target_properties(mintmark_shared PROPERTIES
  OUTPUT_NAME mintmark EXPORT_NAME mintmark LINK_DEPENDS ${map}
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} LINKER_LANGUAGE CXX)

add_library(mintmark_static STATIC ${objects})
add_library(mintmark::static ALIAS mintmark_static)
target_link_libraries(mintmark_static
  PUBLIC mintmark_headers
  INTERFACE
    $<BUILD_INTERFACE:mintmark_sqlite> $<BUILD_INTERFACE:mintmark_tls>
    $<INSTALL_INTERFACE:SQLite::SQLite3> $<INSTALL_INTERFACE:OpenSSL::SSL>
    Threads::Threads ${CMAKE_DL_LIBS} m)
set_target_properties(mintmark_static PROPERTIES
  OUTPUT_NAME mintmark EXPORT_NAME static LINKER_LANGUAGE CXX)
