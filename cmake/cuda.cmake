# CUDA is on where nvcc is found, and can be turned off. The workers that need it are not part of this release's build
# yet; what is left out is said, never silently dropped.
find_program(RV_NVCC nvcc HINTS /usr/local/cuda/bin)
if(RV_NVCC)
  set(RV_CUDA_DEFAULT ON)
else()
  set(RV_CUDA_DEFAULT OFF)
endif()
option(RV_CUDA "Build the CUDA workers" ${RV_CUDA_DEFAULT})
