#include "planner/slurm_words/sbatch_option.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace rv::planner {
namespace {

TEST_CASE("each option and each letter of sbatch is in the table once, in the order of the alphabet") {
  const auto names = sbatch_option_names();
  CHECK(std::is_sorted(names.begin(), names.end()));
  CHECK(std::set(names.begin(), names.end()).size() == names.size());
  std::set<char> letters;
  for (const auto& name : names) {
    const auto* option = find_sbatch_option(name);
    REQUIRE(option != nullptr);
    CHECK_MESSAGE((option->use == SbatchUse::own) == !option->instead.empty(), name);
    if (option->letter != 0) CHECK_MESSAGE(letters.insert(option->letter).second, name);
  }
}

TEST_CASE("an option is found by its name, an older name and its letter") {
  CHECK(find_sbatch_option("share") == find_sbatch_option("oversubscribe"));
  CHECK(find_sbatch_option("tasks-per-node") == find_sbatch_option("ntasks-per-node"));
  CHECK(find_sbatch_option('p') == find_sbatch_option("partition"));
  CHECK(find_sbatch_option("gpumps") == nullptr);
  CHECK(find_sbatch_option('Z') == nullptr);
}

TEST_CASE("a prefix matches the names that begin with it, and a complete name only itself") {
  CHECK(sbatch_names_from("part") == std::vector<std::string>{"partition"});
  CHECK(sbatch_names_from("mem") == std::vector<std::string>{"mem"});
  CHECK(sbatch_names_from("mail") == std::vector<std::string>{"mail-type", "mail-user"});
  CHECK(sbatch_names_from("zzz").empty());
}

TEST_CASE("a prediction leaves out options that change the start of a job, and options that are not known") {
  CHECK(weighs_on_start("begin=16:00"));
  CHECK(weighs_on_start("contiguous"));
  CHECK(weighs_on_start("gpumps=1"));
  CHECK_FALSE(weighs_on_start("comment=begin"));
  CHECK_FALSE(weighs_on_start("mail-type=END"));
}

}  // namespace
}  // namespace rv::planner
