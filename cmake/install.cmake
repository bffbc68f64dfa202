# What `cmake --install` puts under the prefix: the headers, libmintmark, the binary, and how CMake and
# pkg-config find them.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/mintmark)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/mintmark
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS mintmark_headers EXPORT mintmark
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TARGET mintmark)
  install(TARGETS mintmark RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

if(MINTMARK_LIBRARY)
  install(TARGETS mintmark_shared EXPORT mintmark LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  # An export of its own: only who links it needs the libraries that it needs.
  install(TARGETS mintmark_static EXPORT mintmark_static
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT mintmark_static NAMESPACE mintmark:: FILE mintmarkStatic.cmake
    DESTINATION ${package})

  # Relative to the file itself, so that the whole folder can be moved.
  file(RELATIVE_PATH MINTMARK_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  string(REGEX REPLACE "/$" "" MINTMARK_PC_PREFIX ${MINTMARK_PC_PREFIX})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/mintmark.pc.in ${PROJECT_BINARY_DIR}/mintmark.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/mintmark.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

install(EXPORT mintmark NAMESPACE mintmark:: FILE mintmarkTargets.cmake DESTINATION ${package})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/mintmarkConfig.cmake.in
  ${PROJECT_BINARY_DIR}/mintmarkConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/mintmarkConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/mintmarkConfig.cmake ${PROJECT_BINARY_DIR}/mintmarkConfigVersion.cmake
  DESTINATION ${package})
