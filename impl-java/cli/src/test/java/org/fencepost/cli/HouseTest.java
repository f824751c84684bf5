package org.fencepost.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The arrows of the house point down, and protocols are apart. Each row of a plan is a floor: whoever lives there may use the floors
 * below and nothing beside or above. Rooms are packages, written without {@code org.fencepost}.
 */
class HouseTest {

    /** From the ground up. */
    private static final List<List<String>> PROTOCOL = List.of(
            List.of("protocol.trace"),
            List.of("protocol.store"),
            List.of("protocol.manager"),
            List.of("protocol.region"),
            List.of("protocol.omid", "protocol.fastpath", "protocol.mediator", "protocol.ph1"),
            List.of("protocol.twophase", "protocol.fragola"));
    private static final List<List<String>> HBASE = List.of(
            List.of("hbase.layout"),
            List.of("hbase.store"),
            List.of("hbase.client", "hbase.server"),
            List.of("hbase.admin"));
    private static final List<List<String>> MANAGER = List.of(
            List.of("tm.wire", "tm.zookeeper", "tm.mediator"),
            List.of("tm.client", "tm.failover"),
            List.of("tm.server"));
    private static final List<List<String>> AUDIT = List.of(
            List.of("audit.text"),
            List.of("audit.models", "audit.traces"),
            List.of("audit.report", "audit.mutation"));
    private static final List<List<String>> CLUSTER_TESTS = List.of(
            List.of("clustertest.verdict"),
            List.of("clustertest.workload"),
            List.of("clustertest.client"),
            List.of("clustertest.nemesis"));

    private static final JavaClasses CLASSES = new ClassFileImporter().withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar")).importPackages("org.fencepost");

    @Test
    void protocolsUseWhatIsBelowThem() {
        downwards(PROTOCOL);
    }

    @Test
    void sidesOfHBaseUseWhatIsBelowThem() {
        downwards(HBASE);
    }

    /** What a reader sees of a row depends on its request, and not on who hands it over. */
    @Test
    void rowsKnowNoObserver() {
        noClasses().that().resideInAPackage("org.fencepost.hbase.server.rows").should().dependOnClassesThat().resideInAPackage("org.fencepost.hbase.server")
                .check(CLASSES);
    }

    @Test
    void theTransactionManagerUsesWhatIsBelowIt() {
        downwards(MANAGER);
        none("tm.server", "tm.client").check(CLASSES);
    }

    /** Models and traces are two ways to hold the code to the specs, and neither is written for the page. */
    @Test
    void theAuditUsesWhatIsBelowIt() {
        downwards(AUDIT);
    }

    /** Whoever judges a run knows its history, and nothing of how it came about. */
    @Test
    void clusterTestsUseWhatIsBelowThem() {
        downwards(CLUSTER_TESTS);
    }

    /** Nor does what is shared by all protocols know one of them. */
    @Test
    void theProtocolsAreApart() {
        for (String one : List.of("fastpath", "mediator", "twophase", "fragola", "ph1")) {
            none("protocol.omid", "protocol." + one).check(CLASSES);
        }
        for (String onTop : List.of("twophase", "fragola")) {
            none("protocol." + onTop, "protocol.fastpath", "protocol.mediator").check(CLASSES);
        }
    }

    /** No HBase, ZooKeeper or network in the protocols: what is nondeterministic comes in through an interface. */
    @Test
    void theProtocolsKnowNobodyOutside() {
        noClasses().that().resideInAPackage("org.fencepost.protocol..")
                .should().dependOnClassesThat().resideOutsideOfPackages("org.fencepost.protocol..", "java..").check(CLASSES);
    }

    /** HBase's servers are not on a client's class path. */
    @Test
    void nothingOnAClientNamesACoprocessor() {
        none("hbase.layout", "hbase.server").check(CLASSES);
        noClasses().that().resideInAnyPackage("org.fencepost.hbase.layout..", "org.fencepost.hbase.store..", "org.fencepost.hbase.client..",
                "org.fencepost.hbase.admin..").should().dependOnClassesThat().resideInAPackage("org.apache.hadoop.hbase.coprocessor..")
                .check(CLASSES);
    }

    /** The server's room does use the layout: a plan that forbids it is seen to fail. */
    @Test
    void aWrongArrowIsFound() {
        ArchRule planted = none("hbase.server", "hbase.layout");
        assertThrows(AssertionError.class, () -> planted.check(CLASSES));
    }

    private static void downwards(List<List<String>> floors) {
        for (int floor = 0; floor < floors.size(); floor++) {
            for (String room : floors.get(floor)) {
                String[] forbidden = floors.subList(floor, floors.size()).stream().flatMap(List::stream)
                        .filter(other -> !other.equals(room)).toArray(String[]::new);
                if (forbidden.length > 0) {
                    none(room, forbidden).check(CLASSES);
                }
            }
        }
    }

    private static ArchRule none(String room, String... others) {
        return noClasses().that().resideInAPackage("org.fencepost." + room + "..").should().dependOnClassesThat()
                .resideInAnyPackage(Arrays.stream(others).map(other -> "org.fencepost." + other + "..").toArray(String[]::new));
    }
}
