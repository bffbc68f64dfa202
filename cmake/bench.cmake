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
      mintmark_mint mintmark_flags fmt::fmt-header-only benchmark::benchmark)
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
