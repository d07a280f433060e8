// A job's description in run.json: one key for each field. JobSpec::describe() has the names of the keys.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "templates/job_spec.h"

namespace rv::monitor {

/// Adds the job's keys to the object `record`. An optional field that is not set has no key.
void write_job(nlohmann::ordered_json& record, const templates::JobSpec& job);

/// Reads the job's keys from `record`. A field without a key, as in the records of older rv, keeps its initial value;
/// unknown keys are ignored. Throws nlohmann's exceptions if a value has another type.
templates::JobSpec read_job(const nlohmann::json& record);

}  // namespace rv::monitor
