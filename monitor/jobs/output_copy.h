// The state of the copy of `--output`, which a job makes after its command has ended.
#pragma once

#include "monitor/jobs/run_assessment.h"

namespace rv::monitor {

/// Adds the state of the copy to the view of a run that is over. While the job still copies, the run is `ending`.
void assess_copy(RunAssessment& run);

}  // namespace rv::monitor
