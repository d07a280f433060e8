# CUDA is on where nvcc is found, and can be turned off. What is left out without it is said, never silently dropped.
find_program(RV_NVCC nvcc HINTS /usr/local/cuda/bin)
if(RV_NVCC)
  set(RV_CUDA_DEFAULT ON)
else()
  set(RV_CUDA_DEFAULT OFF)
endif()
option(RV_CUDA "Build the workers' CUDA paths" ${RV_CUDA_DEFAULT})

if(RV_CUDA)
  if(NOT RV_NVCC)
    message(FATAL_ERROR "RV_CUDA is on, but there is no nvcc on PATH or in /usr/local/cuda/bin; install the CUDA "
                        "toolkit, or configure with -DRV_CUDA=OFF for workers that know the CPU only")
  endif()
  # Machine code for A100 and H100/H200, and PTX that the driver compiles for what comes after them.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 90-virtual)
  endif()
  set(CMAKE_CUDA_COMPILER ${RV_NVCC})
  set(CMAKE_CUDA_FLAGS_RELEASE "-O2")
  if(RV_CCACHE)
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${RV_CCACHE})
  endif()
  enable_language(CUDA)
  # nvcc has known the flag since 12.0, CMake 3.25 does not know that it does.
  if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  find_package(CUDAToolkit REQUIRED)
  # -Wpedantic and -Wconversion are left out: nvcc's generated host code and its headers do not pass them.
  add_library(rv_cuda_warnings INTERFACE)
  target_compile_options(
    rv_cuda_warnings
    INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings --expt-relaxed-constexpr
              -Xcompiler=-Wall,-Wextra,-Wshadow,-Wno-sign-conversion,-Werror>)
  target_include_directories(rv_cuda_warnings INTERFACE ${PROJECT_SOURCE_DIR})
  message(STATUS "CUDA ${CMAKE_CUDA_COMPILER_VERSION}: the workers are built for ${CMAKE_CUDA_ARCHITECTURES}")
elseif(RV_NVCC)
  message(STATUS "RV_CUDA is off: rv-compute is built for the CPU only (no GEMM, bandwidth or exactness on GPUs)")
else()
  message(STATUS "No nvcc on PATH or in /usr/local/cuda/bin: rv-compute is built for the CPU only (no GEMM, bandwidth "
                 "or exactness on GPUs)")
endif()
