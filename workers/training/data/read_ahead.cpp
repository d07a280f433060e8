#include "workers/training/data/read_ahead.h"

#include <chrono>

namespace rv::workers {

ReadAhead::ReadAhead(Work work, int threads, int ahead)
    : work_(std::move(work)), ahead_(static_cast<std::size_t>(ahead)) {
  figures_.threads = threads;
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this, i] { this->work(i); });
}

ReadAhead::~ReadAhead() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  to_do_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void ReadAhead::begin(std::int64_t step) {
  auto job = std::make_shared<Job>();
  job->step = step;
  job->samples = work_.samples(step);
  job->batch.values = work_.place(job->samples.size() * work_.floats);
  for (const auto sample : job->samples) job->batch.labels.push_back(work_.label(sample));
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  to_do_.notify_all();
}

Batch ReadAhead::take(std::int64_t step) {
  {
    // A thread that still works on one of these jobs keeps it alive, and then discards it.
    const std::lock_guard lock(mutex_);
    if (!jobs_.empty() && jobs_.front()->step != step) jobs_.clear();
  }
  // Only this thread adds and removes.
  while (jobs_.size() < ahead_) begin(step + static_cast<std::int64_t>(jobs_.size()));
  std::unique_lock lock(mutex_);
  const auto job = jobs_.front();
  done_.wait(lock, [&] { return job->over(); });
  jobs_.pop_front();
  if (job->error) std::rethrow_exception(job->error);
  return std::move(job->batch);
}

ReadFigures ReadAhead::figures() const {
  const std::lock_guard lock(mutex_);
  return figures_;
}

std::shared_ptr<ReadAhead::Job> ReadAhead::job_to_do() const {
  for (const auto& job : jobs_) {
    if (job->begun < job->samples.size() && !job->error) return job;
  }
  return nullptr;
}

void ReadAhead::work(int thread) {
  std::unique_lock lock(mutex_);
  while (true) {
    std::shared_ptr<Job> job;
    to_do_.wait(lock, [&] { return ending_ || (job = job_to_do()) != nullptr; });
    if (ending_) return;
    const auto place = job->begun++;
    lock.unlock();
    const auto begin = std::chrono::steady_clock::now();
    std::exception_ptr error;
    try {
      work_.draw(job->samples[place], job->batch.values.data() + place * work_.floats, thread);
    } catch (...) {
      error = std::current_exception();
    }
    const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    lock.lock();
    ++figures_.images;
    figures_.seconds += seconds;
    if (error && !job->error) job->error = error;
    ++job->done;
    if (job->over()) done_.notify_all();
  }
}

}  // namespace rv::workers
