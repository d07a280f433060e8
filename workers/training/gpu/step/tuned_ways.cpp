#include "workers/training/gpu/step/tuned_ways.h"

#include <fmt/format.h>

namespace rv::workers {

void run_chosen(const GpuStep& step, const TunedPlans& plans, const std::vector<CudnnPointer>& pointers,
                void* workspace, cudaStream_t stream) {
  const auto& libraries = *step.libraries;
  libraries.cudnn.call(libraries.cudnn.set_stream(libraries.cudnn_handle, stream), "use a stream");
  execute(libraries.cudnn, libraries.cudnn_handle, plans.plans[plans.chosen], pointers, workspace);
}

std::shared_ptr<CublasProduct> tuned_product(GpuStep& step, const std::string& what, const ProductShape& shape,
                                             const void* a, const void* b, float beta, void* d) {
  if (step.request.rehearsal) return nullptr;
  auto made = std::make_shared<CublasProduct>(step.libraries->lt, step.libraries->lt_handle, step.request.precision,
                                              shape, step.workspace_bytes);
  if (made->algorithms() == 0) return nullptr;
  step.tuner.tune(
      fmt::format("{} {}x{}x{} batch {} beta {} epilogue {}", what, shape.m, shape.n, shape.k, shape.batch, beta,
                  static_cast<int>(shape.epilogue)),
      made->algorithms(), [made](std::size_t way) { made->choose(way); },
      [=, &step](cudaStream_t stream) { made->run(1, a, b, beta, d, step.workspace, stream); }, step.work.main());
  return made;
}

}  // namespace rv::workers
