// All values that a run's page shows.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/use/enough.h"
#include "cli/views/gpu_readings.h"
#include "cli/views/run_cost.h"
#include "monitor/diagnosis/diagnosis.h"
#include "monitor/jobs/observed_wait.h"
#include "monitor/jobs/run_view.h"
#include "monitor/run/run_facts.h"

namespace rv::cli {

struct RunStory {
  monitor::RunView view;
  monitor::RunFacts facts;
  std::vector<monitor::Event> events;  // of all attempts
  monitor::Diagnosis diagnosis;
  std::vector<monitor::LogTail> logs;
  std::vector<KeptReadings> gpus;                            // by time: as the jobs, rv gpu and rv top saw them
  std::vector<std::pair<std::string, std::string>> results;  // results.json files below output/: path and text
  RunUse use;                                                // of a run that is over
  std::optional<Enough> enough;                              // a smaller request that would have been enough
  RunCost cost;
  std::string folder;
  std::string slurm;  // its release; empty: not known
  std::string who;
  slurm::TimePoint now;
};

}  // namespace rv::cli
