#include "cli/launch/container.h"

#include <doctest/doctest.h>

#include "base/error.h"

namespace rv::cli {
namespace {

using Words = std::vector<std::string>;

TEST_CASE("Pyxis takes options of srun, Apptainer a command before the command") {
  const Words mounts = {"/home/ann/.rv", "/opt/rv bin"};
  const Words argv = {"bash", "node.sh"};
  const Container pyxis{"pyxis", "nvcr.io#nvidia/pytorch:25.01-py3"};
  CHECK(pyxis.srun_options(mounts) == Words{"--container-image=nvcr.io#nvidia/pytorch:25.01-py3",
                                            "--container-mounts=/home/ann/.rv:/home/ann/.rv,/opt/rv bin:/opt/rv bin",
                                            "--no-container-mount-home"});
  CHECK(pyxis.command(argv, mounts) == argv);
  const Container apptainer{"apptainer", "image.sif"};
  CHECK(apptainer.srun_options(mounts).empty());
  CHECK(apptainer.command(argv, mounts) ==
        Words{"apptainer", "exec", "--nv", "--bind", "/home/ann/.rv,/opt/rv bin", "image.sif", "bash", "node.sh"});
  const Container none;
  CHECK(none.srun_options(mounts).empty());
  CHECK(none.command(argv, mounts) == argv);
}

TEST_CASE("the site says which it has; where nobody knows, the image is refused") {
  Settings settings;
  settings.container = "apptainer";
  CHECK(container_for("image.sif", settings).form == "apptainer");
  CHECK(container_for("", settings).form.empty());
  settings.container.clear();
  CHECK_THROWS_AS(container_for("image.sif", settings), Error);  // no machine that builds rv has either
}

}  // namespace
}  // namespace rv::cli
