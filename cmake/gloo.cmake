# gloo carries the collectives of ranks on the CPU. Debian's libgloo-dev has no CMake package.
find_path(RV_GLOO_HEADERS gloo/allreduce.h)
find_library(RV_GLOO_LIBRARY gloo)
if(RV_GLOO_HEADERS AND RV_GLOO_LIBRARY)
  set(RV_GLOO ON)
  add_library(gloo INTERFACE IMPORTED GLOBAL)
  set_target_properties(gloo PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${RV_GLOO_HEADERS}"
                                        INTERFACE_LINK_LIBRARIES "${RV_GLOO_LIBRARY}")
else()
  set(RV_GLOO OFF)
  message(STATUS "No gloo (libgloo-dev): rv-collective and rv-train are built without their CPU paths")
endif()

# Whether programs carry gloo within themselves: those for an older glibc can't use this machine's shared library.
set(RV_CARRIED_GLOO OFF)
if(RV_GLOO AND RV_OLDER_GLIBC AND NOT RV_GLOO_LIBRARY MATCHES "[.]a$")
  set(RV_CARRIED_GLOO ON)
endif()

# rv_carried_gloo(): the libraries that a worker carries within itself to use gloo (carried_gloo.cpp), with all that they need
# except glibc, made for an older one. RDMA and Redis, which no worker uses, are left out. For workers/collectives.
function(rv_carried_gloo)
  add_library(rv_on_gloo MODULE communicator_gloo.cpp collective.cpp ../devices/device.cpp
              ${PROJECT_SOURCE_DIR}/shared/documents/json_dump.cpp)
  target_include_directories(rv_on_gloo PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(rv_on_gloo PRIVATE gloo fmt::fmt-header-only nlohmann_json::nlohmann_json rv_warnings)
  target_link_options(rv_on_gloo PRIVATE -s)
  set(carried ${PROJECT_BINARY_DIR}/workers/carried)
  file(MAKE_DIRECTORY ${carried})
  set(made "")
  foreach(library libgcc_s.so.1 libstdc++.so.6 libgloo.so.0 rv_on_gloo)
    if(library STREQUAL rv_on_gloo)
      set(source $<TARGET_FILE:rv_on_gloo>)
    elseif(library STREQUAL libgloo.so.0)
      set(source ${RV_GLOO_LIBRARY})
    else()
      execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${library} OUTPUT_VARIABLE source OUTPUT_STRIP_TRAILING_WHITESPACE)
    endif()
    add_custom_command(
      OUTPUT ${carried}/${library}
      COMMAND ${RV_TAKE_OLDER} ${source} ${carried}/${library} --library --without libhiredis. --without libibverbs.
              --optional ibv_ --optional redis --optional freeReplyObject
      DEPENDS ${PROJECT_SOURCE_DIR}/cmake/older_glibc.py ${source} VERBATIM)
    list(APPEND made ${carried}/${library})
  endforeach()
  set_source_files_properties(carried_gloo.cpp PROPERTIES COMPILE_DEFINITIONS "RV_CARRIED=\"${carried}\"" OBJECT_DEPENDS "${made}")
endfunction()
