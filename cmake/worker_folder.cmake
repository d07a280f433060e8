# rv_worker_folder(LIGHT|FAST [CUDA files…] [CUDNN files…] [NCCL files…] [GLOO files…] [PICTURES files…]
#                  [WITHOUT files…] [LOOPS files…] [HOPPER] [LINK libs…]): adds the sources of this folder to the workers.
#
# LIGHT is for code that waits for GPUs, files and other ranks, FAST for code that computes on the host. Every *.cpp and *.cu of
# the folder is compiled, with these exceptions: a *.cu needs CUDA; a file that matches a pattern after CUDA, CUDNN, … needs
# that part of the build (RV_CUDA, RV_CUDNN, …); no_cuda.cpp, no_cudnn.cpp, … take its place where the part is off; the files
# after WITHOUT are left out. LOOPS names files whose loops are vectorised. HOPPER compiles the folder's *.cu for Hopper only,
# whose instructions they use.
function(rv_worker_folder speed)
  set(parts CUDA CUDNN NCCL GLOO PICTURES)
  cmake_parse_arguments(ARG "HOPPER" "" "${parts};WITHOUT;LOOPS;LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} *.cpp *.cu)
  foreach(part ${parts})
    string(TOLOWER no_${part}.cpp without)
    if(RV_${part})
      list(REMOVE_ITEM sources ${without})
    elseif(ARG_${part})
      file(GLOB needing RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${ARG_${part}})
      list(REMOVE_ITEM needing ${without})
      list(REMOVE_ITEM sources ${needing})
    endif()
  endforeach()
  list(REMOVE_ITEM sources "" ${ARG_WITHOUT})
  set(kernels ${sources})
  list(FILTER kernels INCLUDE REGEX "[.]cu$")
  list(FILTER sources EXCLUDE REGEX "[.]cu$")
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR}/workers ${CMAKE_CURRENT_SOURCE_DIR})
  string(REPLACE / _ name rv_workers_${name})

  if(sources)
    add_library(${name} OBJECT ${sources})
    if(speed STREQUAL LIGHT)
      rv_reuse(${name} light)
      target_compile_options(${name} PRIVATE ${RV_LIGHT})
    else()
      rv_reuse(${name} fast)
    endif()
    target_compile_options(${name} PRIVATE -ffunction-sections)
    target_link_libraries(${name} PRIVATE rv_workers_uses ${ARG_LINK} rv_warnings)
    # No contraction: the checks know the last bit on every processor.
    set_source_files_properties(${ARG_LOOPS} PROPERTIES COMPILE_OPTIONS "-O3;-ffp-contract=off" SKIP_PRECOMPILE_HEADERS ON)
    set_property(GLOBAL APPEND PROPERTY RV_WORKER_OBJECTS $<TARGET_OBJECTS:${name}>)
  endif()
  if(kernels AND RV_CUDA)
    # Apart, because nvcc takes other warning options than the host's compiler.
    add_library(${name}_kernels OBJECT ${kernels})
    target_link_libraries(${name}_kernels PRIVATE rv_cuda_warnings)
    if(ARG_HOPPER)
      set_target_properties(${name}_kernels PROPERTIES CUDA_ARCHITECTURES 90a-real)
    endif()
    set_property(GLOBAL APPEND PROPERTY RV_WORKER_OBJECTS $<TARGET_OBJECTS:${name}_kernels>)
  endif()
endfunction()
