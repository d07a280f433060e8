// This machine, and the nodes of the allocation that rv was called in.
#pragma once

#include "cli/load/place.h"

namespace rv::cli {

class LocalPlace : public LoadPlace {
 public:
  std::optional<int> reach(Load& load) override;
  WorkEnd run(Load& load) override;
  std::string interrupted_text() const override { return "interrupted"; }

 private:
  LocalShare share_;
};

}  // namespace rv::cli
