// A job's description in run.json: one key for each field, by the names that JobSpec::describe() has.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "templates/job_spec.h"

namespace rv::monitor {

/// Adds the job's keys to the object `record`. An optional field that is not set has no key.
void write_job(nlohmann::ordered_json& record, const templates::JobSpec& job);

/// A field without a key, as in the records of older rv, keeps its initial value; unknown keys are ignored. Throws
/// nlohmann's exceptions for a value of another type.
templates::JobSpec read_job(const nlohmann::json& record);

}  // namespace rv::monitor
