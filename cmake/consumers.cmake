# Programs of other people: what is installed is built against, the way each of them would.

set(MINTMARK_CONSUMER_LIMIT_S 900)
set(check ${PROJECT_SOURCE_DIR}/tests/consumers/check.sh)
set(folder ${PROJECT_BINARY_DIR}/consumers)

# The symbols are a promise: tests/c/symbols.txt is changed on purpose or not at all.
add_test(NAME consumers.symbols
  COMMAND ${check} symbols $<TARGET_FILE:mintmark_shared> ${PROJECT_SOURCE_DIR}/tests/c/symbols.txt)

add_test(NAME consumers.install COMMAND ${check} install ${PROJECT_BINARY_DIR} ${folder})
set_tests_properties(consumers.install PROPERTIES FIXTURES_SETUP mintmark_installed)
foreach(kind c89 c89_static find_package)
  add_test(NAME consumers.${kind} COMMAND ${check} ${kind} ${folder})
  set_tests_properties(consumers.${kind} PROPERTIES FIXTURES_REQUIRED mintmark_installed)
endforeach()
add_test(NAME consumers.subdirectory COMMAND ${check} subdirectory ${folder})

foreach(kind symbols install c89 c89_static find_package subdirectory)
  set_tests_properties(consumers.${kind} PROPERTIES TIMEOUT ${MINTMARK_CONSUMER_LIMIT_S})
endforeach()
