# Checks of the tree as a whole, as tests of the release build: what must compile, what must not, and
# the tests again under sanitizers. None is left out for want of a tool: then it fails and says so.

set(MINTMARK_PROGRAM_LIMIT_S 1800)
set(MINTMARK_BUILD_LIMIT_S 3600)

# Every public header, alone and twice, by each compiler and for WebAssembly.
foreach(target gcc clang wasm)
  add_test(NAME headers.${target}
    COMMAND ${PROJECT_SOURCE_DIR}/tools/check_headers.sh ${target})
  set_tests_properties(headers.${target} PROPERTIES TIMEOUT ${MINTMARK_PROGRAM_LIMIT_S})
endforeach()

foreach(target gcc clang)
  add_test(NAME no_compile.${target}
    COMMAND ${PROJECT_SOURCE_DIR}/tests/no_compile/check.sh ${target})
  set_tests_properties(no_compile.${target} PROPERTIES TIMEOUT ${MINTMARK_PROGRAM_LIMIT_S})
endforeach()

# Every fuzz target, with the same inputs each time: shows what a change breaks. What nobody thought of is
# for a longer run of tools/fuzz.sh with other seeds.
set(MINTMARK_FUZZ_RUNS 200000)
set(MINTMARK_FUZZ_SEED 1)
file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz/*_fuzz.cc)
foreach(file IN LISTS found)
  cmake_path(GET file STEM name)
  string(REGEX REPLACE "_fuzz$" "" name ${name})
  add_test(NAME fuzz.${name}
    COMMAND ${PROJECT_SOURCE_DIR}/tools/fuzz.sh ${PROJECT_BINARY_DIR}/fuzz ${name}
      ${MINTMARK_FUZZ_RUNS} ${MINTMARK_FUZZ_SEED})
  set_tests_properties(fuzz.${name} PROPERTIES TIMEOUT ${MINTMARK_PROGRAM_LIMIT_S})
endforeach()

if(TARGET mintmark)
  add_test(NAME binary.is_self_contained
    COMMAND ${PROJECT_SOURCE_DIR}/tools/check_binary.sh $<TARGET_FILE:mintmark>)
endif()

# mintmark_sanitized(<preset> <test program>...): builds the preset (with the other compiler, so that
# everything passes both) and runs its test programs.
function(mintmark_sanitized preset)
  add_test(NAME ${preset}.build
    COMMAND ${PROJECT_SOURCE_DIR}/tools/build_preset.sh ${preset} ${ARGN})
  set_tests_properties(${preset}.build PROPERTIES
    FIXTURES_SETUP ${preset} PROCESSORS 2 TIMEOUT ${MINTMARK_BUILD_LIMIT_S})
  foreach(program IN LISTS ARGN)
    if(program MATCHES "^tests_(.*)$")
      # A test of a hundred million IDs is about memory, which a sanitizer multiplies. The client library of
      # ZooKeeper has races of its own between handles, which TSan would report as ours.
      set(others "*HundredMillion*")
      if(preset STREQUAL "tsan")
        string(APPEND others ":*ookeeper*")
      endif()
      add_test(NAME ${preset}.${CMAKE_MATCH_1}
        COMMAND ${PROJECT_SOURCE_DIR}/build/${preset}/tests/${program} --gtest_brief=1
          --gtest_filter=-${others})
      set_tests_properties(${preset}.${CMAKE_MATCH_1} PROPERTIES
        FIXTURES_REQUIRED ${preset} TIMEOUT ${MINTMARK_PROGRAM_LIMIT_S})
    endif()
  endforeach()
endfunction()

# Addresses: everything there is, but the fleet and the documents, which run other programs and look at
# what those print. Races: the floors whose objects are shared between threads.
get_property(programs GLOBAL PROPERTY MINTMARK_TEST_PROGRAMS)
list(FILTER programs EXCLUDE REGEX "^tests_(fleet|docs)$")
set(threaded ${programs})
list(FILTER threaded INCLUDE REGEX "^tests_(scheme|io|store|mint|server)$")
mintmark_sanitized(asan all ${programs})
mintmark_sanitized(tsan ${threaded})
