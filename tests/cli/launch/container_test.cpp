#include "cli/launch/container.h"

#include <doctest/doctest.h>

#include <fstream>

#include "base/error.h"
#include "tests/base/temporary_folder.h"

namespace rv::cli {
namespace {

using Words = std::vector<std::string>;

const Words mounts = {"/home/ann/.rv"}, named = {"/opt/rv bin", "/opt/one file"};
const Words argv = {"bash", "node.sh"};

TEST_CASE("Pyxis takes options of srun, which start the command as it is") {
  const Container pyxis{"pyxis", "nvcr.io#nvidia/pytorch:25.01-py3", mounts, named};
  const Words options = {
      "--container-image=nvcr.io#nvidia/pytorch:25.01-py3",
      "--container-mounts=/home/ann/.rv:/home/ann/.rv,/opt/rv bin:/opt/rv bin,/opt/one file:/opt/one file",
      "--no-container-mount-home"};
  CHECK(pyxis.srun_options() == options);
  CHECK(pyxis.command(argv) == argv);
  WorkOrder order;
  order.job.argv = argv;
  put_into_container(order, pyxis);
  CHECK(order.job.argv == argv);
  CHECK(order.job.container_options == options);
  CHECK(!order.prepare);
  CHECK(order.job.container_shell.front() == "srun");
  CHECK(order.job.container_shell.back() == "command -v bash >/dev/null && exec bash; exec sh");
}

TEST_CASE("the other engines get a program before the command, which the run's folder has") {
  const Container podman{"podman", "image", mounts, named};
  CHECK(podman.srun_options().empty());
  CHECK(podman.step().empty());
  const Words words = {"podman", "image", "/home/ann/.rv", "/opt/rv bin:/opt/one file", "bash", "node.sh"};
  Words here = {"bash", "/x/container"};
  here.insert(here.end(), words.begin(), words.end());
  CHECK(podman.command(argv, "/x/container") == here);
  Words in_job = {"bash", "-c", "exec bash \"$RV_RUN_DIR/container\" \"$@\"", "container"};
  in_job.insert(in_job.end(), words.begin(), words.end());
  WorkOrder order;
  order.job.argv = argv;
  put_into_container(order, podman);
  CHECK(order.job.argv == in_job);
  CHECK(order.job.container_options.empty());
  CHECK(order.prepare);
  WorkOrder hold;
  hold.job.hold = true;
  put_into_container(hold, podman);
  CHECK(hold.job.argv.empty());
  CHECK(hold.job.container_shell[4] == "podman");
}

TEST_CASE("images and mounts that an engine would read as something else are refused, and folders left out") {
  Settings settings;
  settings.container = "podman";
  settings.home = "/home/ann/.rv";
  settings.scratch = "/scratch/ann";
  for (const char* image : {"-v/:/host", "--privileged", "-", "image\n--privileged", "image\x1b[2J"}) {
    CAPTURE(image);
    CHECK_THROWS_AS(container_for({image, {}}, settings), Error);
    CHECK_THROWS_AS(container_on_hosts({image, {}}, settings), Error);
  }
  for (const char* mount : {"data", "/a:/etc", "/a,/b", "/a\n/b", "/a\\", ""}) {
    CAPTURE(mount);
    CHECK_THROWS_AS(container_for({"docker://image", {mount}}, settings), Error);
  }
  CHECK(container_for({"docker://image", {"/a b"}}, settings).mounts == Words{"/home/ann/.rv", "/scratch/ann"});
  settings.scratch = "/scratch:/etc:rw";
  settings.home = "/home/ann,/etc";
  CHECK(container_for({"docker://image", {}}, settings).mounts.empty());
}

TEST_CASE("without an image the command is unchanged") {
  WorkOrder order;
  order.job.argv = argv;
  put_into_container(order, Container{});
  CHECK(order.job.argv == argv);
  CHECK(!order.prepare);
  CHECK(order.job.container_shell.empty());
}

TEST_CASE("an invalid image or mount is reported before a job is submitted") {
  Settings settings;
  settings.home = "/home/ann/.rv";
  settings.container = "podman";
  const auto mounted = container_for({"nvidia/pytorch", {"/data"}}, settings);
  CHECK(mounted.mounts == Words{"/home/ann/.rv"});
  CHECK(mounted.named == Words{"/data"});
  CHECK(container_for({"", {}}, settings).image.empty());
  CHECK(container_on_hosts({"/on/the/hosts.sif", {}}, settings).image == "/on/the/hosts.sif");
  CHECK_THROWS_WITH_AS(container_on_hosts({"./none.sif", {}}, settings),
                       "--container \"./none.sif\": expected an existing file", Error);
  CHECK_THROWS_WITH_AS(container_for({"/nothing/there.sif", {}}, settings),
                       "--container \"/nothing/there.sif\": expected an existing file", Error);
  CHECK_THROWS_AS(container_for({"there.sqsh", {}}, settings), Error);
  CHECK_THROWS_WITH_AS(container_for({"", {"/data"}}, settings), "--container-mount /data needs --container", Error);
  CHECK_THROWS_AS(container_for({"image", {"data"}}, settings), Error);
  CHECK_THROWS_AS(container_for({"image", {"/a:b"}}, settings), Error);
  const TemporaryFolder folder;
  write_container_start(folder.path() + "/container");
  CHECK(std::ifstream(folder.path() + "/container").good());
}

}  // namespace
}  // namespace rv::cli
