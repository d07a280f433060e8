// How the trainings of an acceptance went.
#pragma once

#include <string>

#include "accept/judgement.h"

namespace rv::accept {

/// Loss and pace by step. Of more than six places those that did not pass, and one that did. Empty where none was kept.
std::string trainings_html(const Judgement& judgement);

}  // namespace rv::accept
