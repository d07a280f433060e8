// A project's files, damaged.
#include <string>

#include "cli/project/project_settings.h"
#include "cli/project/pyproject.h"
#include "cli/project/requirements.h"
#include "cli/project/script_notes.h"
#include "tests/damaged.h"

using namespace rv;
using namespace rv::project;
using test::survives;

TEST_CASE("damaged requirements are refused or read") {
  survives(
      [](std::string_view text) {
        const ReadFile read = [&](const std::string& path) -> std::optional<std::string> {
          if (path == "requirements.txt") return std::string(text);
          return path == "base.txt" || path == "con.txt" ? std::optional<std::string>("torch\n") : std::nullopt;
        };
        const auto size = read_requirements({"requirements.txt"}, read).text("/project").size();
        CHECK(size < 10 * text.size() + 100);
      },
      "numpy==1.26 ; python_version > '3.8'  # pinned\n-e ./lib[extra]\n--find-links wheels\n./w/a-1-py3-none-any.whl\n"
      "torch @ file:///x/y.whl \\\n  --hash=sha256:0123\n-r \"base.txt\"\n-c con.txt\n",
      1000);
}

TEST_CASE("damaged pyproject.toml, .rv.yaml and scripts are refused or read") {
  survives([](auto text) { scan_pyproject(text); },
           "[build-system]\nrequires = [\"hatchling\"]\n[project]\nname = \"x\"\ndependencies = [\n  \"numpy\",\n]\n"
           "[project.optional-dependencies]\ndev = ['a']\ndynamic = [\"dependencies\"]\n",
           1000);
  survives(
      [](auto text) { parse_project_settings(text, ".rv.yaml"); },
      "environment:\n  from: [requirements.txt, base.txt]\n  extras: [dev]\n  python: python3.11\n  setup: |\n    a\n");
  const ScriptPlace place{
      .script = "t.py", .words = {"python3", "t.py"}, .nodes = 2, .processes_per_node = 1, .cpus = 4};
  survives([&](auto text) { script_notes(text, place); },
           "import torch\n'''doc\n'''\nm = AutoModel.from_pretrained(x, device_map=\"auto\")  # y\n"
           "DataLoader(d, num_workers=32,\n  batch_size=4)\n");
}
