# How everything is compiled: the warnings, the sanitizers, and the tools that make it faster where
# they are installed.

add_library(mintmark_flags INTERFACE)
target_compile_options(mintmark_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
  # Somebody else's compiler may know more warnings.
  $<$<BOOL:${PROJECT_IS_TOP_LEVEL}>:-Werror>
  # The place where it was built is nobody's business, and makes two builds differ.
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}/= -ffile-prefix-map=${PROJECT_BINARY_DIR}/=
  -ffunction-sections -fdata-sections
  # g++ 12 sees overlapping copies in `"words" + text` where there are none (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # libstdc++ 12's own stable_sort calls what C++17 deprecated.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
target_link_options(mintmark_flags INTERFACE -Wl,--gc-sections)

if(MINTMARK_SANITIZE)
  target_compile_options(mintmark_flags INTERFACE
    -fsanitize=${MINTMARK_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(mintmark_flags INTERFACE -fsanitize=${MINTMARK_SANITIZE})
endif()

find_program(MINTMARK_CCACHE ccache)
if(MINTMARK_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${MINTMARK_CCACHE})
endif()

find_program(MINTMARK_MOLD mold)
if(MINTMARK_MOLD)
  target_link_options(mintmark_flags INTERFACE -fuse-ld=mold)
endif()
