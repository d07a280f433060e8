#include "workers/training/gpu/step/step_work.h"

#include "workers/devices/cuda_call.h"

namespace rv::workers {

StepWork::StepWork(bool rehearsal) {
  if (rehearsal) return;
  int least = 0, most = 0;
  cuda_call(cudaDeviceGetStreamPriorityRange(&least, &most), "ask for priorities");
  cuda_call(cudaStreamCreateWithFlags(&main_, cudaStreamNonBlocking), "create a stream");
  // High priority: a few thread blocks that the other ranks wait for must not queue behind the many blocks of a layer.
  cuda_call(cudaStreamCreateWithPriority(&side_, cudaStreamNonBlocking, most), "create a stream");
}

StepWork::~StepWork() {
  for (auto* const event : events_) cudaEventDestroy(event);
  for (auto* const stream : {main_, side_}) {
    if (stream != nullptr) cudaStreamDestroy(stream);
  }
}

cudaEvent_t StepWork::event() {
  if (next_event_ == events_.size()) {
    cudaEvent_t event = nullptr;
    cuda_call(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "create an event");
    events_.push_back(event);
  }
  return events_[next_event_++];
}

void StepWork::fork(cudaStream_t from, cudaStream_t to) {
  auto* const reached = event();
  cuda_call(cudaEventRecord(reached, from), "record an event");
  cuda_call(cudaStreamWaitEvent(to, reached, 0), "wait on a stream");
}

void StepWork::enqueue(cudaStream_t stream) {
  next_event_ = 0;
  for (const auto& part : parts_) part.work(stream);
  cuda_call(cudaGetLastError(), "launch a kernel");
}

std::vector<StepWork::PartTime> StepWork::profile(cudaStream_t stream, int repeats) {
  std::vector<PartTime> times;
  for (const auto& part : parts_) times.push_back({part.what, 0, part.least});
  std::vector<cudaEvent_t> marks(parts_.size() + 1);
  for (auto& mark : marks) cuda_call(cudaEventCreate(&mark), "create an event");
  for (int repeat = 0; repeat < repeats; ++repeat) {
    next_event_ = 0;
    cuda_call(cudaEventRecord(marks[0], stream), "record an event");
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      parts_[i].work(stream);
      fork(side_, stream);
      cuda_call(cudaEventRecord(marks[i + 1], stream), "record an event");
    }
    cuda_call(cudaEventSynchronize(marks.back()), "time a step's parts");
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      float milliseconds = 0;
      cuda_call(cudaEventElapsedTime(&milliseconds, marks[i], marks[i + 1]), "read a timer");
      times[i].seconds += milliseconds / 1e3 / repeats;
    }
  }
  for (auto* const mark : marks) cudaEventDestroy(mark);
  return times;
}

}  // namespace rv::workers
