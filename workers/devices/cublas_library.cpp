#include "workers/devices/cublas_library.h"

#include <string>

#include "workers/devices/dynamic_library.h"

namespace rv::workers {
namespace {

/// Since CUDA 11 the library's major version is that of the toolkit.
std::string versioned(const char* name) {
  return std::string(name) + ".so." + std::to_string(CUBLAS_VER_MAJOR);
}

}  // namespace

CublasLt::CublasLt() {
  const DynamicLibrary library(versioned("libcublasLt").c_str(), "multiply on a GPU");
  library.find(create, "cublasLtCreate");
  library.find(destroy, "cublasLtDestroy");
  library.find(get_version, "cublasLtGetVersion");
  library.find(get_status_string, "cublasLtGetStatusString");
  library.find(desc_create, "cublasLtMatmulDescCreate");
  library.find(desc_destroy, "cublasLtMatmulDescDestroy");
  library.find(desc_set, "cublasLtMatmulDescSetAttribute");
  library.find(layout_create, "cublasLtMatrixLayoutCreate");
  library.find(layout_destroy, "cublasLtMatrixLayoutDestroy");
  library.find(layout_set, "cublasLtMatrixLayoutSetAttribute");
  library.find(preference_create, "cublasLtMatmulPreferenceCreate");
  library.find(preference_destroy, "cublasLtMatmulPreferenceDestroy");
  library.find(preference_set, "cublasLtMatmulPreferenceSetAttribute");
  library.find(get_heuristic, "cublasLtMatmulAlgoGetHeuristic");
  library.find(matmul, "cublasLtMatmul");
}

Cublas::Cublas() {
  const DynamicLibrary library(versioned("libcublas").c_str(), "multiply on a GPU");
  library.find(create, "cublasCreate_v2");
  library.find(destroy, "cublasDestroy_v2");
  library.find(set_stream, "cublasSetStream_v2");
  library.find(set_workspace, "cublasSetWorkspace_v2");
  library.find(dgemm, "cublasDgemm_v2");
  library.find(sgemm, "cublasSgemm_v2");
}

}  // namespace rv::workers
