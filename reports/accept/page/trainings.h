// How the trainings of an acceptance went.
#pragma once

#include <string>

#include "reports/accept/judgement.h"

namespace rv::accept {

/// Loss and pace by step, and of a model what its GPU did meanwhile. Of more than six places those that did not pass,
/// and one that did. Empty where none was kept.
std::string trainings_html(const Judgement& judgement);

}  // namespace rv::accept
