# tests/<floor>/**: one GoogleTest program a folder, linked to what the floor of that name may see.

include(GoogleTest)

set(MINTMARK_LIBRARY_base mintmark_headers)
set(MINTMARK_LIBRARY_text mintmark_headers)
set(MINTMARK_LIBRARY_scheme mintmark_headers)
set(MINTMARK_LIBRARY_root mintmark_headers)
set(MINTMARK_LIBRARY_lease mintmark_lease)
set(MINTMARK_LIBRARY_io mintmark_io)
set(MINTMARK_LIBRARY_seal mintmark_io)
set(MINTMARK_LIBRARY_store mintmark_store)
set(MINTMARK_LIBRARY_mint mintmark_mint)
set(MINTMARK_LIBRARY_c mintmark_shared)

# Suites that share a server: their tests run in one process each, so that it is started once.
set(MINTMARK_SERVER_SUITES_store Postgres Mariadb Redis Etcd Zookeeper)

function(mintmark_test_program floor)
  set(program tests_${floor})
  add_executable(${program} ${ARGN})
  set(library mintmark_server)
  if(DEFINED MINTMARK_LIBRARY_${floor})
    set(library ${MINTMARK_LIBRARY_${floor}})
  endif()
  target_include_directories(${program} PRIVATE
    ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${program} PRIVATE
    ${library} mintmark_flags mintmark_crypto fmt::fmt-header-only
    GTest::gtest GTest::gtest_main)
  target_compile_definitions(${program} PRIVATE
    MINTMARK_VECTORS_DIR="${PROJECT_SOURCE_DIR}/tests/vectors"
    MINTMARK_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(TARGET mintmark AND NOT DEFINED MINTMARK_LIBRARY_${floor})
    add_dependencies(${program} mintmark)
    target_compile_definitions(${program} PRIVATE MINTMARK_BINARY="$<TARGET_FILE:mintmark>")
    target_link_libraries(${program} PRIVATE mintmark_boost)
    if(TARGET mintmark_shared AND floor STREQUAL "docs")
      add_dependencies(${program} mintmark_shared)
      target_compile_definitions(${program} PRIVATE
        MINTMARK_LIBRARY_FILE="$<TARGET_FILE:mintmark_shared>")
    endif()
    if(TARGET mintmark_cli AND floor STREQUAL "cli")
      target_link_libraries(${program} PRIVATE mintmark_cli)
    endif()
  endif()
  set_target_properties(${program} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  set(others "-")
  foreach(suite IN LISTS MINTMARK_SERVER_SUITES_${floor})
    add_test(NAME ${floor}.${suite} COMMAND ${program} --gtest_filter=*${suite}*)
    set_tests_properties(${floor}.${suite} PROPERTIES TIMEOUT 900)
    string(APPEND others ":*${suite}*")
  endforeach()
  gtest_discover_tests(${program}
    TEST_FILTER "${others}"
    TEST_PREFIX ${floor}.
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 120
    PROPERTIES TIMEOUT 900)
  set_property(GLOBAL APPEND PROPERTY MINTMARK_TEST_PROGRAMS ${program})
endfunction()

file(GLOB_RECURSE found CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/tests
  ${PROJECT_SOURCE_DIR}/tests/*.cc)
set(floors "")
foreach(file IN LISTS found)
  if(file MATCHES "^([^/]+)/")
    set(floor ${CMAKE_MATCH_1})
  else()
    set(floor root)
  endif()
  # These are not programs of GoogleTest: files that must not compile, fuzz targets, other people's projects.
  if(NOT floor MATCHES "^(no_compile|fuzz|consumers)$")
    list(APPEND floors ${floor})
    list(APPEND sources_${floor} ${PROJECT_SOURCE_DIR}/tests/${file})
  endif()
endforeach()
list(REMOVE_DUPLICATES floors)
foreach(floor IN LISTS floors)
  mintmark_test_program(${floor} ${sources_${floor}})
endforeach()

if(MINTMARK_TREE_CHECKS)
  include(consumers)
  include(tree_checks)
endif()
