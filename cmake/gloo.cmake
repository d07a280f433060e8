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
