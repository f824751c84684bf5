# Fencepost's front door. `make help` lists the targets.

# Maven compiles little of itself with C2 before it ends: with C1 alone, the build takes 24 s in place of 40. It ends with an escape
# code, into files, too, unless it is told not to.
export MAVEN_OPTS := -XX:TieredStopAtLevel=1 $(MAVEN_OPTS) -Djansi.noreset=true

MVN   := mvn -q -B -ntp -f impl-java/pom.xml
# It may take a minute, and says nothing.
BUILD := echo "Building what has changed ..." >&2; $(MVN)
# Modules side by side: some mostly compute, others mostly wait.
TESTS := mvn -B -ntp -T 4 -fae -f impl-java/pom.xml -Pphoenix-tests
REPLAY := java -cp "impl-java/conformance/target/classes:impl-java/audit/target/classes:impl-java/conformance/target/lib/*" org.fencepost.conformance.Conformance
IN_AUDIT := java -cp "impl-java/audit/target/classes:impl-java/audit/target/lib/*" org.fencepost.audit
TRACES := $(IN_AUDIT).traces.TraceCheck
REPORT := $(IN_AUDIT).report.Audit
DRAWINGS := $(IN_AUDIT).models.Drawings
AUDIT  := $(IN_AUDIT).models.Check
MUTATE := $(IN_AUDIT).mutation.CheckMutate
PROVE := java -cp "impl-java/prove/target/classes:impl-java/prove/target/lib/*" org.fencepost.prove.Prove
WEAKEN := $(IN_AUDIT).mutation.CheckGate
CLI   := impl-java/cli/fencepost

comma := ,
PHOENIX = java -cp "impl-java/phoenix-tests/target/classes:impl-java/phoenix-tests/target/lib/*" org.fencepost.phoenix.tests

# A misspelt variable would be ignored, and hours begin. Here is what make or a script that it starts reads.
VARIABLES := ALTERATIONS APALACHE_HOME BASE BASE_IMAGE BREAK CLUSTER CLUSTER_BUILD CLUSTER_CONF CLUSTER_NAME CLUSTER_SUBNET COMPARE DISK_MEGABYTES FRAGOLA \
  FRAMES FRESH INDEX JEPSEN_CLASS_PATH KNOWN LARGEST LIMIT LONG MAVEN_OPTS MEDIATOR MIRROR MUTANTS NEMESIS OMID_TIMESTAMPS ONLY OPTIONS PH1 PIN QUICK REQUESTS RUNS SECONDS SEED SEEDS \
  SHELL SYSTEM TIME TLA2TOOLS TM_OPTIONS TRACE WORKLOAD
UNKNOWN := $(filter-out $(VARIABLES),$(foreach name,$(.VARIABLES),$(if $(findstring command line,$(origin $(name))),$(name))))
ifneq ($(UNKNOWN),)
$(error Nothing here reads $(UNKNOWN). Use one of: $(VARIABLES))
endif

# $(call flag,<variable>,<option>): the option where the variable is 1, nothing where it is 0 or not given.
flag = $(if $(filter-out 0,$($(1))),$(if $(filter 1,$($(1))),$(2),$(error Give $(1)=1, or leave it out; it is $(1)=$($(1)))))

.DEFAULT_GOAL := help
.PHONY: help test test-all test-long test-failover test-fp test-traces check check-deep check-mutate check-gate audit check-symbolic prove bench-tm bench-fp trace-check \
  conformance torture demo build clean cluster-test jepsen adya cluster-up cluster-down cluster-selftest base-image bench \
  test-mediator test-monitoring test-secure test-docs test-outside test-tutorial bench-closure bench-index bench-mediator bench-ph1 bench-scale demo-mediator test-hostile outdated style format site drawings test-ph1 demo-ph1 test-phoenix test-phoenix-install demo-phoenix bench-phoenix phoenix-build reference dist

##@ Test

test: style ## build everything and run its tests, including those on a real HBase
	$(TESTS) verify

test-all: style ## the same at length: more seeds, traces and transactions, and what test-long runs
	$(TESTS) -Dfencepost.test.all=true -Dtest.excluded.groups=evidence verify

test-long: ## the longer tests that make test leaves out: broken code, altered traces, load, kills, Kerberos: minutes
	$(TESTS) -Dgroups=long -Dtest.excluded.groups= verify

test-failover: ## kill, pause and cut off transaction managers, on a real ZooKeeper: minutes
	mvn -B -ntp -f impl-java/pom.xml -pl tm-tests -am test -Dtest='Failover*Test' -Dtest.excluded.groups= -Dsurefire.failIfNoSpecifiedTests=false

test-fp: ## fast path: 100,000 transactions while regions move and a region server is killed: minutes
	mvn -B -ntp -f impl-java/pom.xml -pl hbase-tests -am test -Dtest='FastWorkloadTest#mixedTrafficAtLength' -Dtest.excluded.groups= -Dsurefire.failIfNoSpecifiedTests=false

test-mediator: ## Mediator: 120,000 operations in both modes, while clients, helper and oracle are killed and regions move: minutes
	mvn -B -ntp -f impl-java/pom.xml -pl cli -am verify -Dtest='Mediator*Test#mixedTrafficAtLength' -Dtest.excluded.groups= -Dsurefire.failIfNoSpecifiedTests=false

test-hostile: ## hostile frames on transaction managers, hostile requests on region servers: FRAMES=1000000, REQUESTS=1000000: half an hour
	mvn -B -ntp -f impl-java/pom.xml -pl hbase-tests,tm-tests -am test -Dtest='FuzzTest,HostileServerTest,HostileRequestsTest#atLength' -Dtest.excluded.groups= \
	  -Dfencepost.hostile.frames=$(or $(FRAMES),1000000) -Dfencepost.hostile.requests=$(or $(REQUESTS),1000000) -Dsurefire.failIfNoSpecifiedTests=false

test-ph1: ## pH1 on Cassandra and on HBase, and its store on a Cassandra of three nodes, some of which are down: minutes
	mvn -B -ntp -f impl-java/pom.xml -pl ph1 -am verify -Dtest='ThreeNodesTest,PH1On*Test' -Dtest.excluded.groups= -Dsurefire.failIfNoSpecifiedTests=false

test-secure: ## Kerberos with tickets that last half a minute: minutes
	mvn -B -ntp -f impl-java/pom.xml -pl secure -am verify -Dtest='SecureTest,RenewalTest' -Dtest.excluded.groups= -Dsurefire.failIfNoSpecifiedTests=false

test-monitoring: ## the alerts and the dashboard in monitoring/, on a real Prometheus (Debian's package prometheus): 3 minutes
	@command -v prometheus promtool > /dev/null || { echo "This takes Prometheus: on Debian, apt-get install prometheus." >&2; exit 2; }
	promtool test rules monitoring/alerts-test.yml
	mvn -B -ntp -f impl-java/pom.xml -pl tm-tests -am test -Dtest=MonitoringTest -Dtest.excluded.groups= -Dsurefire.failIfNoSpecifiedTests=false

test-outside: build ## follow the guides for users in docs/: a project of its own, and HBase's servers with their jar: minutes
	@impl-java/consumer/test

test-tutorial: build ## follow docs/tutorial.md in a project of its own: a minute or two
	@impl-java/consumer/tutorial

test-docs: build ## run the commands that README and docs/ show: half an hour; LONG=1 those of hours, too, ONLY=<text>
	@impl-java/consumer/commands $(if $(ONLY),--only '$(ONLY)') $(call flag,LONG,--long)

test-phoenix: phoenix-build ## Apache Phoenix's own tests of transactions, on Fencepost and on Apache Omid: 30 minutes; OPTIONS='--help'
	@$(PHOENIX).PhoenixTests --home impl-java/phoenix-tests --out target/phoenix $(OPTIONS)

test-phoenix-install: build phoenix-build ## install Fencepost under Apache Phoenix as docs/phoenix.md says: a minute or two
	@impl-java/phoenix-tests/install

test-traces: ## simulated runs in the trace check, of broken code and altered, too: RUNS=100, ALTERATIONS=1000, ONLY=FastPath: minutes
	mvn -B -ntp -f impl-java/pom.xml -pl simulation-tests -am test -Dtest=CodeToSpecTest -Dfencepost.traces=$(or $(RUNS),100) -Dtest.excluded.groups= \
	  -Dfencepost.alterations=$(or $(ALTERATIONS),1000) $(if $(ONLY),-Dfencepost.only=$(ONLY)) -Dsurefire.failIfNoSpecifiedTests=false

##@ Check specifications and code

check: audit-build ## model-check the specs and all mutants, at the size for pull requests; FRESH=1 even what has not changed
	@$(AUDIT) $(if $(ONLY),--only '$(ONLY)') $(call flag,PIN,--pin) $(call flag,FRESH,--fresh)

check-deep: audit-build ## the same with the deep models: hours
	@$(AUDIT) --deep $(if $(ONLY),--only '$(ONLY)') $(call flag,PIN,--pin) $(call flag,FRESH,--fresh)

check-mutate: audit-build ## change the specs at random and see whether a model notices: MUTANTS=100, SEED=0, ONLY=<spec[/operator]>, LARGEST=<states>, SECONDS=
	@$(MUTATE) --mutants $(or $(MUTANTS),100) --seed $(or $(SEED),0) $(if $(ONLY),--only '$(ONLY)') $(if $(LARGEST),--largest $(LARGEST)) $(if $(SECONDS),--seconds $(SECONDS))

check-gate: audit-build ## weaken the models at random and see whether make check notices: MUTANTS=100, SEED=0, ONLY=<spec[/model]>
	@$(WEAKEN) --mutants $(or $(MUTANTS),100) --seed $(or $(SEED),0) $(if $(ONLY),--only '$(ONLY)')

audit: audit-build ## the audit report, target/audit/index.html; BASE=<revision> adds what differs, KNOWN=1 runs no model that has not been run
	@$(REPORT) $(if $(BASE),--base '$(BASE)') $(call flag,KNOWN,--known)

check-symbolic: ## types and inductive invariants in Apalache, where apalache-mc is installed: 5 minutes; ONLY=<module>
	@ONLY='$(ONLY)' specs/check-symbolic

prove: prove-build ## prove promises of Omid LL, one-phase commit, Fragola and failover for any number of transactions and managers: 3 minutes; ONLY=<spec[/part]>, SEEDS=3, MUTANTS=1
	@$(PROVE) $(if $(ONLY),--only '$(ONLY)') $(if $(SEEDS),--seeds $(SEEDS)) $(call flag,MUTANTS,--mutants)

trace-check: trace-given audit-build ## is a recorded trace a behaviour of the spec? TRACE=<file, or folder of transaction managers>
	@$(TRACES) $(TRACE)

.PHONY: trace-given
trace-given:
	@if [ -z "$(TRACE)" ]; then echo "Give the trace: make trace-check TRACE=<file>" >&2; exit 2; fi
	@for trace in $(TRACE); do [ -r "$$trace" ] || { echo "There is no trace $$trace." >&2; exit 2; }; done

conformance: conformance-build ## take the steps of the specs' models in the code: a few minutes; ONLY=<model>, SEED=0
	@$(REPLAY) $(if $(ONLY),--only '$(ONLY)') --seed $(or $(SEED),0)

torture: build ## run the protocol in the simulator: SEEDS=10000, from SEED=0 on; MEDIATOR=1 for Mediator, FRAGOLA=1 for Fragola, PH1=1 for pH1, INDEX=1 for builds of an index
	@$(CLI) torture $(call flag,MEDIATOR,--mediator) $(call flag,FRAGOLA,--fragola) $(call flag,PH1,--ph1) $(call flag,INDEX,--index) --seeds $(or $(SEEDS),10000) --seed $(or $(SEED),0)

##@ Measure

bench: bench-build ## measure transactions on HBase beside native HBase and Apache Omid: 40 minutes; QUICK=1, OPTIONS='--help'
	@java -Xms512m -Xmx512m -XX:+UseSerialGC -cp "impl-java/bench/target/classes:impl-java/bench/target/lib/*" org.fencepost.bench.mix.Bench \
	  $(call flag,QUICK,--rounds 1 --seconds 1 --warm-up-seconds 60 --threads 8 --workloads A$(comma)RANDOM$(comma)BRWC --background 100000 --keys 5000 --profile-seconds 1) $(OPTIONS)

bench-tm: bench-build ## measure the transaction manager beside Apache Omid's: minutes; QUICK=1, OPTIONS='--help'
	@java -Xms1g -Xmx1g -Xmn700m -XX:+UseSerialGC -cp "impl-java/bench/target/classes:impl-java/bench/target/lib/*" org.fencepost.bench.tm.BenchTm \
	  $(call flag,QUICK,--pairs 1 --seconds 0.7 --warm-up-seconds 6) $(OPTIONS)

bench-fp: bench-build ## measure the fast path beside HBase's own operations: minutes; QUICK=1, OPTIONS='--help'
	@java -Xms1g -Xmx1g -Xmn700m -XX:+UseSerialGC -cp "impl-java/bench/target/classes:impl-java/bench/target/lib/*" org.fencepost.bench.fastpath.BenchFp \
	  $(call flag,QUICK,--pairs 4 --warm-up-seconds 12) $(OPTIONS)

bench-phoenix: phoenix-build ## measure SQL on Fencepost beside Apache Omid: 10 minutes; OPTIONS='--help'
	@$(PHOENIX).PhoenixBench --home impl-java/phoenix-tests --out target/bench-phoenix $(OPTIONS)

bench-closure: bench-build ## measure statements between checkpoints beside Apache Omid: minutes; QUICK=1, OPTIONS='--help'
	@java -Xms512m -Xmx512m -XX:+UseSerialGC -cp "impl-java/bench/target/classes:impl-java/bench/target/lib/*" org.fencepost.bench.mix.BenchClosure \
	  $(call flag,QUICK,--pairs 2 --warm-up-pairs 1 --keys 20000 --chains 200) $(OPTIONS)

bench-index: bench-build ## measure builds of indexes, checkpoints and reads on region servers: minutes; QUICK=1, OPTIONS='--help'
	@java -Xms1g -Xmx1g -Xmn700m -XX:+UseSerialGC -cp "impl-java/bench/target/classes:impl-java/bench/target/lib/*" org.fencepost.bench.index.BenchIndex \
	  $(call flag,QUICK,--pairs 2 --seconds 0.5 --warm-up-seconds 10) $(OPTIONS)

bench-mediator: mediator-build ## measure native operations beside Mediator's transactions: 15 minutes; QUICK=1, OPTIONS='--help'
	@java -Xms1g -Xmx1g -Xmn700m -XX:+UseSerialGC -cp "impl-java/bench/target/classes:impl-java/bench/target/lib/*" org.fencepost.bench.mediator.BenchMediator \
	  $(call flag,QUICK,--pairs 1 --native-pairs 4 --warm-up-seconds 20) $(OPTIONS)

bench-ph1: ph1-build ## measure what pH1's transactions cost on Cassandra, beside Omid LL and Apache Omid on HBase: 15 minutes; QUICK=1, OPTIONS='--help'
	@java -Xms512m -Xmx512m -XX:+UseSerialGC -cp "impl-java/bench/target/classes:impl-java/bench/target/lib/*" org.fencepost.bench.ph1.BenchPH1 \
	  $(call flag,QUICK,--rounds 2 --seconds 3 --settle-seconds 1 --warm-up-seconds 5 --keys 2000 --warehouses 2) $(OPTIONS)

bench-scale: bench-build ## simulate clusters of 1 to 100 servers with costs that were measured: a minute; OPTIONS='--help'
	@java -cp "impl-java/bench/target/classes:impl-java/bench/target/lib/*" org.fencepost.bench.scale.BenchScale $(OPTIONS)

##@ Cluster

cluster-up: build ## ZooKeeper, HDFS, HBase and transaction managers on five nodes; CLUSTER=netns without docker, MEDIATOR=1 with bookies, PH1=1 with Cassandra and pH1
	@CLUSTER=$(or $(CLUSTER),docker) cluster/cluster up

cluster-down: ## stop the cluster and leave nothing behind but logs
	@CLUSTER=$(or $(CLUSTER),docker) cluster/cluster down

cluster-selftest: build ## start a cluster and see each fault take effect and end: minutes; CLUSTER=netns without docker
	@CLUSTER=$(or $(CLUSTER),docker) cluster/selftest

base-image: ## build the containers' base image from Debian's packages, without a registry: BASE_IMAGE=fencepost-base
	@cluster/base-image

cluster-test: build adya ## a workload on a cluster under faults: WORKLOAD= NEMESIS= TIME= SEED= BREAK= OPTIONS='--help'; SYSTEM=apache-omid tests that
	@SYSTEM=$(or $(SYSTEM),fencepost) cluster/test cluster-test $(if $(WORKLOAD),--workload $(WORKLOAD)) $(if $(NEMESIS),--nemesis $(NEMESIS)) $(if $(TIME),--time $(TIME)) \
	  $(if $(SEED),--seed $(SEED)) $(OPTIONS)

jepsen: build ## the same workloads and faults under Jepsen, judged by Elle, where Leiningen can resolve them
	@cluster/test jepsen $(if $(WORKLOAD),--workload $(WORKLOAD)) $(if $(NEMESIS),--nemesis $(NEMESIS)) $(if $(TIME),--time-limit $(TIME)) \
	  $(if $(SEED),--seed $(SEED)) $(OPTIONS)

adya: target/adya/bin/adya ## install adya, which judges histories as Elle does, into target/

##@ Other

help: ## list the targets
	@awk -F ':.*## ' '/^##@ / { printf "\n%s\n", substr($$0, 5) } /^[a-z0-9-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "  make check ONLY=<pattern> runs one model or mutant and draws its counterexample."

demo: build ## bank transfers on a real HBase, some clients killed halfway through
	@$(CLI) demo

demo-mediator: build ## native clients and transactions on the same rows of a real HBase, with bookies; clients and the oracle killed
	@$(CLI) demo-mediator

demo-ph1: build ## transactions on a real Cassandra by three instances of pH1's middleware, one killed in the middle of a flush
	@$(CLI) demo-ph1

demo-phoenix: phoenix-build ## SQL over JDBC: an index built while clients write, one of which is killed; then index and table are compared
	@$(PHOENIX).PhoenixDemo --home impl-java/phoenix-tests --out target/demo-phoenix $(OPTIONS)

phoenix-build:
	@$(BUILD) -Pphoenix-tests -pl phoenix-tests -am -DskipTests package

build: ## build the launcher, impl-java/cli/fencepost, without tests
	@$(BUILD) -DskipTests package
	@echo "Built the launcher: impl-java/cli/fencepost --help lists its commands."

style: # Is all Java written in the one style?
	@$(MVN) -N spotless:check || { echo "Java is written in one style here: make format applies it." >&2; exit 1; }

format: ## format all Java in the one style that make test checks for
	$(MVN) -N spotless:apply

reference: ## write docs/reference.md, settings, commands, exit codes and metrics, from the code
	@$(MVN) -pl cli -am test -Dtest=ReferenceTest -Dfencepost.reference=write -Dsurefire.failIfNoSpecifiedTests=false

drawings: audit-build ## draw how the protocols work, docs/drawings/*.svg, from behaviours of the specs; COMPARE=1 only tells what differs, ONLY=<part of a name>
	@$(DRAWINGS) $(call flag,COMPARE,--compare) $(if $(ONLY),--only '$(ONLY)')

dist: build ## one archive with launcher, jars, sources, Javadoc and guides, target/dist/: minutes
	@packaging/dist

site: build ## the documentation as a site with search, target/site/index.html: its generator, pinned, is installed below target/; with Javadoc
	@docs/site/build

outdated: ## list dependencies that are behind the newest patch of their line, if Maven's repository can be reached
	@impl-java/outdated

clean: ## remove everything that was built
	@$(MVN) clean
	rm -rf target

.PHONY: audit-build
audit-build:
	@$(BUILD) -pl audit -am -DskipTests package

.PHONY: prove-build
prove-build:
	@$(BUILD) -pl prove -am -DskipTests package

.PHONY: ph1-build
ph1-build:
	@$(BUILD) -pl bench,bench-peer,cassandra -am -DskipTests package

.PHONY: bench-build
bench-build:
	@$(BUILD) -pl bench,bench-peer -am -DskipTests package

.PHONY: mediator-build
mediator-build:
	@$(BUILD) -pl bench,mediator -am -DskipTests package

.PHONY: conformance-build
conformance-build:
	@$(BUILD) -pl conformance -am -DskipTests package

ADYA_VERSION := 0.1.0
target/adya/bin/adya:
	@if command -v cargo > /dev/null; then cargo install --quiet --locked --no-default-features --root target/adya adya@$(ADYA_VERSION); \
	  else echo "There is no cargo to install adya with: its part of verdicts will be unknown." >&2; fi
