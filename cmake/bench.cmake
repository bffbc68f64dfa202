# bench/*.cc: one Google Benchmark program a file. bench/load: a client of the server, on its own.

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.cc)
if(sources)
  find_package(benchmark CONFIG)
endif()
if(sources AND benchmark_FOUND)
  foreach(source IN LISTS sources)
    cmake_path(GET source STEM stem)
    add_executable(bench_${stem} ${source})
    target_include_directories(bench_${stem} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(bench_${stem} PRIVATE
      mintmark_io mintmark_flags fmt::fmt-header-only benchmark::benchmark)
    set_target_properties(bench_${stem} PROPERTIES
      RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
  endforeach()
endif()

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/load/*.cc)
if(sources)
  add_executable(mintmark_load ${sources})
  target_include_directories(mintmark_load PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(mintmark_load PRIVATE
    mintmark_headers mintmark_flags fmt::fmt-header-only CLI11::CLI11 Threads::Threads)
  set_target_properties(mintmark_load PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
endif()

# bench/rivals: what other libraries cost. Here are our own side and the rivals in C++; the others are built
# by bench/rivals/run.sh, which also builds these a second time, for the machine it runs on.
function(mintmark_rival name)
  add_executable(${name} ${ARGN})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE mintmark_flags)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
endfunction()

file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/rivals/ours/*.cc)
mintmark_rival(bench_ours ${sources})
target_link_libraries(bench_ours PRIVATE mintmark_io)
mintmark_rival(bench_rival_boost_uuid ${PROJECT_SOURCE_DIR}/bench/rivals/cpp/boost_uuid.cc)
target_link_libraries(bench_rival_boost_uuid PRIVATE mintmark_boost)
set(rivals $<TARGET_FILE:bench_rival_boost_uuid>)

find_path(MINTMARK_UUID_INCLUDE uuid/uuid.h)
find_library(MINTMARK_UUID_LIBRARY NAMES uuid)
if(MINTMARK_UUID_INCLUDE AND MINTMARK_UUID_LIBRARY)
  mintmark_rival(bench_rival_libuuid ${PROJECT_SOURCE_DIR}/bench/rivals/cpp/libuuid.cc)
  target_include_directories(bench_rival_libuuid SYSTEM PRIVATE ${MINTMARK_UUID_INCLUDE})
  target_link_libraries(bench_rival_libuuid PRIVATE ${MINTMARK_UUID_LIBRARY})
  list(APPEND rivals $<TARGET_FILE:bench_rival_libuuid>)
endif()

# Compares results, measures nothing. Without tests it is not registered.
add_test(NAME rivals.agree
  COMMAND ${PROJECT_SOURCE_DIR}/bench/rivals/run.sh --check $<TARGET_FILE:bench_ours> ${rivals})
