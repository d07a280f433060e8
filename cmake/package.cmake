# Packages: `cmake --build build --target package` makes a .deb, an .rpm (where rpmbuild is) and a .tar.xz of what
# `cmake --install` would put in place.
set(CPACK_PACKAGE_NAME rv)
set(CPACK_PACKAGE_VENDOR rv)
set(CPACK_PACKAGE_CONTACT "the cluster's administrators <root@localhost>" CACHE STRING "Who looks after the package")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "GPUs on Slurm clusters: planned, raced for, followed and tested")
set(CPACK_PACKAGE_INSTALL_DIRECTORY rv)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGE_FILE_NAME "rv-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}")

set(CPACK_GENERATOR TXZ)
find_program(RV_DPKG_DEB dpkg-deb)
find_program(RV_RPMBUILD rpmbuild)
foreach(tool_and_kind "RV_DPKG_DEB;DEB" "RV_RPMBUILD;RPM")
  list(GET tool_and_kind 0 tool)
  list(GET tool_and_kind 1 kind)
  if(${tool})
    list(PREPEND CPACK_GENERATOR ${kind})
  else()
    message(STATUS "No program for it: no ${kind} among the packages")
  endif()
endforeach()

# rv is static, and the workers need glibc alone (older_glibc.cmake), or, made for this machine, its libraries.
set(CPACK_DEBIAN_PACKAGE_SECTION science)
find_program(RV_SHLIBDEPS dpkg-shlibdeps)
if(RV_OLDER_GLIBC)
  # dpkg-shlibdeps would say 2.34, since when functions of several libraries are in one.
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libc6 (>= ${RV_OLDEST_GLIBC})")
elseif(RV_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
set(CPACK_RPM_PACKAGE_AUTOREQ OFF)
set(CPACK_RPM_PACKAGE_AUTOPROV OFF)
set(CPACK_RPM_PACKAGE_RELOCATABLE ON)
# Folders of the system are not the package's to own or to remove.
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION
    /usr/share/man /usr/share/man/man1 /usr/share/bash-completion /usr/share/bash-completion/completions /usr/share/zsh
    /usr/share/zsh/site-functions /usr/share/fish /usr/share/fish/vendor_completions.d /usr/share/doc)
set(CPACK_RPM_SPEC_MORE_DEFINE
    "%define _buildhost rv\n%define use_source_date_epoch_as_buildtime 1\n%define clamp_mtime_to_source_date_epoch 1\n%define __os_install_post %{nil}\n%define _build_id_links none")

# The same sources give the same bytes: every time in a package is that of the last commit, or SOURCE_DATE_EPOCH.
find_package(Git QUIET)
set(RV_COMMIT_TIME 0)
if(GIT_FOUND)
  execute_process(
    COMMAND ${GIT_EXECUTABLE} log -1 --format=%ct
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    OUTPUT_VARIABLE RV_COMMIT_TIME
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/package_times.cmake.in ${CMAKE_BINARY_DIR}/package_times.cmake @ONLY)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_BINARY_DIR}/package_times.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/package_touch.cmake)

install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/sites ${PROJECT_SOURCE_DIR}/examples/packaging ${PROJECT_SOURCE_DIR}/examples/checkpoint
                  ${PROJECT_SOURCE_DIR}/examples/containers ${PROJECT_SOURCE_DIR}/examples/kubernetes
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(FILES ${RV_LICENCES} DESTINATION ${CMAKE_INSTALL_DOCDIR}/licences)
include(CPack)
