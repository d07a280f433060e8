// The folders in scratch whose content runs execute or install: caches of pip, uv, Triton and others.
#pragma once

#include <string>

namespace rv {

/// Throws Error if another user owns or can write to rv's environments or one of the caches in `scratch`
/// (base/trust/private_folder.h). The names are those of templates/launch/environment.inc.sh and
/// cli/project/recipe.cpp.
void check_scratch_caches(const std::string& scratch);

}  // namespace rv
