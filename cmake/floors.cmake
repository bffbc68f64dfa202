# One static library for each folder of src/, and the binary on top.

# mintmark_floor(<name> <what it may use>...): the library mintmark_<name> of src/<name>/**/*.cc.
function(mintmark_floor name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cc)
  if(NOT sources)
    add_library(mintmark_${name} INTERFACE)
    target_include_directories(mintmark_${name} INTERFACE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(mintmark_${name} INTERFACE ${ARGN})
    return()
  endif()
  add_library(mintmark_${name} STATIC ${sources})
  target_include_directories(mintmark_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(mintmark_${name}
    PUBLIC ${ARGN}
    PRIVATE mintmark_flags fmt::fmt-header-only)
  # One build for the binary and for libmintmark. It costs the binary nothing: what is hidden is called and
  # reached directly, and the linker turns the way to thread-local variables into the direct one.
  set_target_properties(mintmark_${name} PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_options(mintmark_${name} PRIVATE -ftls-model=initial-exec)
endfunction()

# Compiles a floor a second time, as a program without exceptions and type information would.
function(mintmark_floor_without_exceptions name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cc)
  if(NOT sources)
    return()
  endif()
  add_library(mintmark_${name}_without_exceptions OBJECT ${sources})
  target_compile_options(mintmark_${name}_without_exceptions PRIVATE -fno-exceptions -fno-rtti)
  target_include_directories(mintmark_${name}_without_exceptions PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(mintmark_${name}_without_exceptions
    PRIVATE mintmark_headers mintmark_flags fmt::fmt-header-only)
endfunction()

# mintmark_binary(<what it may use>...): src/cli, an object library (so that no file is dropped for
# want of a reference, and tests can link it), and main.cc.
function(mintmark_binary)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/*.cc)
  set(main ${PROJECT_SOURCE_DIR}/src/cli/main.cc)
  if(NOT main IN_LIST sources)
    return()
  endif()
  list(REMOVE_ITEM sources ${main})
  add_executable(mintmark ${main})
  if(sources)
    add_library(mintmark_cli OBJECT ${sources})
    target_link_libraries(mintmark_cli
      PUBLIC ${ARGN} fmt::fmt-header-only
      PRIVATE mintmark_flags CLI11::CLI11)
    target_compile_definitions(mintmark_cli PRIVATE MINTMARK_VERSION="${PROJECT_VERSION}")
    target_link_libraries(mintmark PRIVATE mintmark_cli)
  endif()
  target_link_libraries(mintmark PRIVATE
    ${ARGN} mintmark_flags CLI11::CLI11)
  target_compile_definitions(mintmark PRIVATE MINTMARK_VERSION="${PROJECT_VERSION}")
  set_target_properties(mintmark PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  if(NOT MINTMARK_SANITIZE)
    # A start without libstdc++.so is a third shorter.
    target_link_options(mintmark PRIVATE -static-libstdc++ -static-libgcc)
  endif()
endfunction()
