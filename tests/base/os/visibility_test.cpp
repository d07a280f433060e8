#include "base/os/visibility.h"

#include <doctest/doctest.h>

using namespace rv;
using std::chrono::seconds;

namespace {

// As /proc/self/mountinfo has them on clusters.
constexpr std::string_view mounts =
    "22 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw,errors=remount-ro\n"
    "23 22 0:21 / /proc rw,nosuid shared:5 - proc proc rw\n"
    "40 22 0:44 / /home rw,relatime shared:20 - nfs4 srv:/home rw,vers=4.2,rsize=1048576,hard,proto=tcp,timeo=600\n"
    "41 22 0:45 / /home/slow rw,relatime - nfs4 srv:/slow rw,vers=4.2,acregmin=3,acdirmin=30,acdirmax=300,hard\n"
    "42 22 0:46 / /home/slowest rw,relatime - nfs srv:/s rw,vers=3,actimeo=600,hard\n"
    "43 22 0:47 / /home/quick rw,relatime - nfs srv:/q rw,vers=3,noac,acdirmax=0,hard\n"
    "44 22 0:48 / /scratch rw,relatime - lustre 10.0.0.1@o2ib:/scratch rw,flock,lazystatfs\n"
    "45 22 0:49 / /gpfs rw,relatime - gpfs gpfs rw\n"
    "46 22 0:50 / /mnt/a\\040b rw,relatime - xfs /dev/sdb rw\n"
    "47 22 0:51 / /late rw,relatime master:3 shared:7 - fuse.bindfs bindfs rw,user_id=0,group_id=0\n"
    "48 22 0:52 / /tmp rw - tmpfs tmpfs rw\n"
    "49 22 0:53 / /beegfs rw - beegfs beegfs_nodev rw\n"
    "50 48 0:54 / /tmp/covered rw - nfs srv:/x rw\n"
    "51 50 0:55 / /tmp/covered rw - tmpfs tmpfs rw\n"
    "torn line\n"
    "52 22 0:56 / /odd rw - nfs srv:/x rw,acdirmax=,xacdirmax=9999,actimeo=x\n";

seconds lag(const std::string& path) {
  return os::visibility_lag(path, mounts);
}

}  // namespace

TEST_CASE("on one machine's own file systems: seconds") {
  CHECK(lag("/var/tmp/runs") == seconds(5));
  CHECK(lag("/tmp/runs") == seconds(5));
  CHECK(lag("/mnt/a b/runs") == seconds(5));
}

TEST_CASE("on NFS: longer than attributes of a folder are kept, by default or by option") {
  CHECK(lag("/home/u1/.rv/runs") > seconds(60));
  CHECK(lag("/home/slow/runs") > seconds(300));
  CHECK(lag("/home/slowest") > seconds(600));
  CHECK(lag("/home/quick/runs") > seconds(60));  // another client may be mounted otherwise
}

TEST_CASE("less if locks invalidate caches; an unknown file system counts as NFS") {
  CHECK(lag("/scratch/u1") < seconds(30));
  CHECK(lag("/scratch/u1") > seconds(5));
  CHECK(lag("/gpfs/u1") < seconds(30));
  CHECK(lag("/late/runs") > seconds(60));
  CHECK(lag("/beegfs/runs") > seconds(60));
  CHECK(lag("/odd/runs") > seconds(60));
  CHECK(os::visibility_lag("/home/u1", "") > seconds(60));
}

TEST_CASE("the innermost mount counts, by whole names, and of two at one place the later") {
  CHECK(lag("/homework/runs") == seconds(5));
  CHECK(lag("/home/slower/runs") == lag("/home/u1"));
  CHECK(lag("/tmp/covered/runs") == seconds(5));
}

TEST_CASE("the setting applies everywhere until it is removed") {
  os::set_visibility_lag(seconds(17));
  CHECK(os::visibility_lag("/") == seconds(17));
  CHECK(os::visibility_lag("/no/such/folder") == seconds(17));
  os::set_visibility_lag(std::nullopt);
  CHECK(os::visibility_lag("/no/such/folder") != seconds(17));
}

TEST_CASE("this machine's own table is read") {
  CHECK(os::visibility_lag("/proc/self") > seconds(0));
  CHECK(os::visibility_lag("/no/such/folder") > seconds(0));
}
