#include "shared/system/mounts.h"

#include <doctest/doctest.h>

using namespace rv::os;

TEST_CASE("the innermost mount determines the type of the file system") {
  constexpr auto mounts =
      "22 1 259:2 / / rw,relatime shared:1 - ext4 /dev/sda rw\n"
      "40 22 0:44 / /home rw - nfs4 srv:/home rw,vers=4.2\n"
      "46 22 0:50 / /mnt/a\\040b rw,relatime - lustre x rw\n"
      "torn line\n";
  CHECK(mount_of("/home/ann", mounts).type == "nfs4");
  CHECK(mount_of("/homework", mounts).type == "ext4");
  CHECK(mount_of("/mnt/a b/c", mounts).type == "lustre");
  CHECK(mount_of("/x", "").type.empty());
  CHECK(mount_of("/home/ann", mounts).options == "rw,vers=4.2");
  CHECK(mount_of("/home/ann", mounts).point == "/home");
  CHECK(parse_mounts(mounts).size() == 3);
}

TEST_CASE("the mount of a path of this machine is found, through links too") {
  CHECK(mount_at("/proc/self/cwd").point != "/proc");
  CHECK(mount_at("/proc").type == "proc");
  CHECK(is_local_type("tmpfs"));
  CHECK(is_local_type("f2fs"));
  CHECK_FALSE(is_local_type("nfs4"));
}
