#include "planner/cluster/admission.h"

#include <doctest/doctest.h>

#include "tests/planner/afton.h"

using namespace rv;
using namespace rv::planner;

namespace {

Admission admit_to(const Cluster& cluster, const std::string& partition, const Request& request = {}) {
  return admit(cluster, *cluster.find_partition(partition), request);
}

Association association(const std::string& account, std::vector<DatabaseName> qos = {"normal"}) {
  Association one;
  one.account = account;
  one.qos = std::move(qos);
  return one;
}

}  // namespace

TEST_CASE("the default account is left to Slurm") {
  const Cluster cluster = test::afton();
  const Admission admission = admit_to(cluster, "gpu-a40");
  CHECK(admission.refusal.empty());
  CHECK(admission.account.empty());
  CHECK(admission.qos.empty());
  REQUIRE(admission.association != nullptr);
  CHECK(admission.association->account == DatabaseName("lab"));
  REQUIRE(admission.job_qos != nullptr);
  CHECK(admission.job_qos->name == DatabaseName("normal"));
}

TEST_CASE("a partition that is down rejects jobs") {
  Cluster cluster = test::afton();
  Partition& partition = test::partition_of(cluster, "gpu-a40");
  partition.up = false;
  partition.state = "DRAIN";
  CHECK(admit_to(cluster, "gpu-a40").refusal == "partition gpu-a40 is DRAIN");
  partition.up = true;
  partition.requires_reservation = true;
  CHECK(admit_to(cluster, "gpu-a40").refusal.find("ReqResv") != std::string::npos);
}

TEST_CASE("root only means root") {
  Cluster cluster = test::afton();
  test::partition_of(cluster, "gpu-a40").root_only = true;
  CHECK_FALSE(admit_to(cluster, "gpu-a40").refusal.empty());
  cluster.user = "root";
  CHECK(admit_to(cluster, "gpu-a40").refusal.empty());
}

TEST_CASE("a partition without jobs of root") {
  Cluster cluster = test::afton();
  test::partition_of(cluster, "gpu-a40").disable_root_jobs = true;
  CHECK(admit_to(cluster, "gpu-a40").refusal.empty());
  cluster.user = "root";
  CHECK(admit_to(cluster, "gpu-a40").refusal.find("DisableRootJobs") != std::string::npos);
}

TEST_CASE("a partition of some groups") {
  Cluster cluster = test::afton();
  test::partition_of(cluster, "gpu-a40").allow_groups = {"physics", "chem"};
  CHECK(admit_to(cluster, "gpu-a40").refusal.empty());  // nobody has said which groups the user is in
  cluster.groups = {"users", "bio"};
  CHECK(admit_to(cluster, "gpu-a40").refusal ==
        "gpu-a40 allows only group physics, chem (AllowGroups); you are in users, bio");
  cluster.groups = {"users", "chem"};
  CHECK(admit_to(cluster, "gpu-a40").refusal.empty());
  cluster.groups = {"root"};
  cluster.user = "root";
  CHECK(admit_to(cluster, "gpu-a40").refusal.empty());
}

TEST_CASE("if the default account is not permitted, the first permitted account of the user is used") {
  Cluster cluster = test::afton();
  cluster.associations.push_back(association("other"));
  cluster.associations.push_back(association("third"));
  test::partition_of(cluster, "gpu-a40").allow_accounts = {"third", "OTHER"};
  CHECK(admit_to(cluster, "gpu-a40").account == DatabaseName("other"));
  test::partition_of(cluster, "gpu-a40").allow_accounts = {"nobody"};
  CHECK(admit_to(cluster, "gpu-a40").refusal == "gpu-a40 allows only account nobody (AllowAccounts), not lab");
  test::partition_of(cluster, "gpu-a40").allow_accounts = {};
  test::partition_of(cluster, "gpu-a40").deny_accounts = {"lab", "other"};
  CHECK(admit_to(cluster, "gpu-a40").account == DatabaseName("third"));
}

TEST_CASE("the request's account is kept or refused") {
  Cluster cluster = test::afton();
  cluster.associations.push_back(association("other"));
  Request request;
  request.account = "other";
  CHECK(admit_to(cluster, "gpu-a40", request).account == DatabaseName("other"));
  request.account = "foreign";
  CHECK(admit_to(cluster, "gpu-a40", request).refusal == "your accounts are lab, other, not foreign");
  cluster.controller.enforced = {"none"};
  CHECK(admit_to(cluster, "gpu-a40", request).refusal.empty());
  request.account = "other";
  test::partition_of(cluster, "gpu-a40").deny_accounts = {"other"};
  CHECK(admit_to(cluster, "gpu-a40", request).refusal == "gpu-a40 denies account other (DenyAccounts)");
}

TEST_CASE("an association for one partition counts only there") {
  Cluster cluster = test::afton();
  cluster.associations[0].partition = "gpu-a40";
  CHECK(admit_to(cluster, "gpu-a40").refusal.empty());
  CHECK(admit_to(cluster, "gpu-v100").refusal == "account lab may not use gpu-v100");
}

TEST_CASE("the default QOS is left to Slurm, else the first that the partition allows is named") {
  Cluster cluster = test::afton();
  test::add_qos(cluster, "gpu");
  test::add_qos(cluster, "long");
  cluster.associations[0].qos = {"normal", "long", "gpu"};
  test::partition_of(cluster, "gpu-a40").allow_qos = {"gpu"};
  CHECK(admit_to(cluster, "gpu-a40").qos == DatabaseName("gpu"));
  CHECK(admit_to(cluster, "gpu-a40").job_qos->name == DatabaseName("gpu"));
  test::partition_of(cluster, "gpu-a40").allow_qos = {"vip"};
  CHECK(admit_to(cluster, "gpu-a40").refusal == "gpu-a40 allows only QOS vip (AllowQos), not normal");
  test::partition_of(cluster, "gpu-a40").allow_qos = {};
  test::partition_of(cluster, "gpu-a40").deny_qos = {"normal"};
  CHECK(admit_to(cluster, "gpu-a40").qos == DatabaseName("long"));
}

TEST_CASE("the request's QOS is kept or refused") {
  Cluster cluster = test::afton();
  Request request;
  request.qos = "h200";
  CHECK(admit_to(cluster, "gpu-a40", request).refusal == "account lab may use QOS normal, not h200");
  request.qos = "nosuch";
  CHECK(admit_to(cluster, "gpu-a40", request).refusal.starts_with("QOS nosuch does not exist"));
  request.qos = "normal";
  CHECK(admit_to(cluster, "gpu-a40", request).qos == DatabaseName("normal"));
  test::partition_of(cluster, "gpu-a40").deny_qos = {"normal"};
  CHECK(admit_to(cluster, "gpu-a40", request).refusal == "gpu-a40 denies QOS normal (DenyQos)");
}

TEST_CASE("missing answers of accounting never reject a job") {
  Cluster cluster = test::afton();
  cluster.associations.clear();
  cluster.qos.clear();
  cluster.unanswered = {{"associations", "timed out"}, {"qos", "timed out"}};
  test::partition_of(cluster, "gpu-a40").allow_accounts = {"vips"};
  CHECK(admit_to(cluster, "gpu-a40").refusal.empty());
  Request request;
  request.account = "foreign";
  request.qos = "nosuch";
  CHECK(admit_to(cluster, "gpu-v100", request).refusal.empty());
  CHECK(admit_to(cluster, "gpu-v100", request).account == DatabaseName("foreign"));
  CHECK_FALSE(admit_to(cluster, "gpu-a40", request).refusal.empty());
  cluster.unanswered.clear();  // a cluster without accounting: nothing to answer
  CHECK(admit_to(cluster, "gpu-a40").refusal.empty());
  CHECK(admit_to(cluster, "gpu-v100", request).refusal.empty());
}

TEST_CASE("a user without an association is rejected if Slurm requires one") {
  Cluster cluster = test::afton();
  cluster.associations.clear();
  cluster.controller.accounting = true;
  cluster.controller.enforced = {"associations", "limits"};
  CHECK(admit_to(cluster, "gpu-a40").refusal.find("no association") != std::string::npos);
  cluster.controller.enforced = {"nojobs"};
  CHECK(admit_to(cluster, "gpu-a40").refusal.empty());
  // What nobody said is unknown, not missing.
  cluster.controller.enforced.clear();
  CHECK(admit_to(cluster, "gpu-a40").refusal.empty());
  cluster.controller.enforced = {"associations"};
  cluster.unanswered["associations"] = "timed out";
  CHECK(admit_to(cluster, "gpu-a40").refusal.empty());
}

TEST_CASE("a QOS that takes only jobs of a reservation is not chosen, and refused by name") {
  Cluster cluster = test::afton();
  const Partition& partition = *cluster.find_partition("gpu-a40");
  test::qos_of(cluster, "normal").flags = {"RequiresReservation"};
  CHECK(admit(cluster, partition, {}).refusal ==
        "QOS normal accepts only jobs with a reservation (RequiresReservation)");
  cluster.associations[0].qos = {"normal", "mig"};
  CHECK(admit(cluster, partition, {}).refusal.empty());
  CHECK(admit(cluster, partition, {}).qos == DatabaseName("mig"));
  Request request;
  request.qos = "normal";
  CHECK_FALSE(admit(cluster, partition, request).refusal.empty());
}
