# The terms of what is linked into rv and its workers or carried by them, as Debian's packages have them. `rv --licences` prints
# them, and the packages contain them.
set(RV_LICENCES "")
foreach(library libc6-dev libcli11-dev libfmt-dev libgloo-dev libjpeg62-turbo-dev libjs-dygraphs libpng-dev libspdlog-dev
                libstdc++-12-dev libyaml-cpp-dev nlohmann-json3-dev zlib1g-dev)
  if(EXISTS /usr/share/doc/${library}/copyright)
    configure_file(/usr/share/doc/${library}/copyright ${CMAKE_BINARY_DIR}/licences/${library} COPYONLY)
    list(APPEND RV_LICENCES ${CMAKE_BINARY_DIR}/licences/${library})
  else()
    message(STATUS "No /usr/share/doc/${library}/copyright: its terms are not among those of rv --licences")
  endif()
endforeach()
