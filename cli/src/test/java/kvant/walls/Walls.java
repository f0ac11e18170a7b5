package kvant.walls;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.Map;

/// The walls of ARCHITECTURE.md as rules over compiled classes. A rule with nothing to judge yet holds.
final class Walls {

    private Walls() {}

    static final ArchRule ENGINE_KNOWS_NOBODY = classes()
            .that()
            .resideInAPackage("kvant.engine..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("kvant.engine..", "java..", "org.jspecify..")
            .because("the port is what every adapter and the server agree on: it has no third-party types")
            .allowEmptyShould(true);

    /// The laboratory could, and does not need to: see docs/decisions/0014-load-generator-sockets.md.
    static final ArchRule HTTP_AND_LAB_ALONE_KNOW_NETTY =
            soleImporter("io.netty..", "kvant.server.http..", "kvant.lab..");

    static final ArchRule LAB_KNOWS_NO_OTHER = onlyOfOurs("kvant.lab..", "kvant.lab..");

    static final ArchRule NOBODY_BELOW_THE_CLI_KNOWS_THE_LAB = noClasses()
            .that()
            .resideOutsideOfPackages("kvant.cli..", "kvant.lab..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("kvant.lab..")
            .because("what is measured does not know who measures")
            .allowEmptyShould(true);

    static final ArchRule OBSERVE_ALONE_KNOWS_PROMETHEUS = soleImporter("io.prometheus..", "kvant.server.observe..");

    static final ArchRule ROCKSDB_ADAPTER_ALONE_KNOWS_ROCKSDB = soleImporter("org.rocksdb..", "kvant.rocksdb..");

    static final ArchRule PROFILE_ALONE_KNOWS_ASYNC_PROFILER = soleImporter("one..", "kvant.lab.profile..");
    static final ArchRule CASSANDRA_ADAPTER_ALONE_KNOWS_THE_DRIVER =
            soleImporter("com.datastax..", "kvant.cassandra", "kvant.cassandra.violation");

    static final ArchRule CLI_ALONE_KNOWS_PICOCLI = soleImporter("picocli..", "kvant.cli..");

    static final ArchRule CLI_ALONE_KNOWS_LOGBACK = soleImporter("ch.qos.logback..", "kvant.cli..");

    static final ArchRule TABLES_ALONE_KNOW_LZ4 = soleImporter("net.jpountz..", "kvant.lsm.table..");

    static final ArchRule TABLES_ALONE_KNOW_ZSTD = soleImporter("com.github.luben..", "kvant.lsm.table..");

    static final ArchRule HTTP_KNOWS_NO_ENGINE = forbidden(
            "kvant.server.http..", "http turns bytes into requests and outcomes into bytes", "kvant.engine..");

    static final ArchRule SERVICE_KNOWS_NO_HTTP =
            forbidden("kvant.server.service..", "use cases are the same for every transport", "kvant.server.http..");

    static final ArchRule SERVER_KNOWS_ONLY_THE_PORT = onlyOfOurs("kvant.server..", "kvant.server..", "kvant.engine..");

    static final ArchRule LSM_KNOWS_ONLY_THE_PORT = onlyOfOurs("kvant.lsm..", "kvant.lsm..", "kvant.engine..");

    static final ArchRule ROCKSDB_KNOWS_ONLY_THE_PORT =
            onlyOfOurs("kvant.rocksdb..", "kvant.rocksdb..", "kvant.engine..");

    static final ArchRule CASSANDRA_KNOWS_ONLY_THE_PORT =
            onlyOfOurs("kvant.cassandra..", "kvant.cassandra..", "kvant.engine..");

    /// What runs servers needs no client of theirs: it must work before one could connect.
    static final ArchRule CLUSTER_KNOWS_NO_ENGINE = forbidden(
            "kvant.cassandra.cluster..", "servers are run without a client", "kvant.engine..", "kvant.cassandra");

    static final ArchRule MOVE_KNOWS_ONLY_THE_PORT = onlyOfOurs("kvant.move..", "kvant.move..", "kvant.engine..");

    static final ArchRule NOBODY_KNOWS_THE_CLI = noClasses()
            .that()
            .resideOutsideOfPackage("kvant.cli..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("kvant.cli..")
            .because("the command line is the top: it wires the rest")
            .allowEmptyShould(true);

    static final ArchRule LSM_PACKAGES_POINT_DOWN = classes()
            .that()
            .resideInAPackage("kvant.lsm..")
            .should(pointDown())
            .because("lsm -> {compaction, flush} -> version -> {wal, memtable, table} -> {storage, record} -> bytes")
            .allowEmptyShould(true);

    static final ArchRule NO_CYCLES = SlicesRuleDefinition.slices()
            .matching("kvant.(**)")
            .should()
            .beFreeOfCycles()
            .allowEmptyShould(true);

    /// Height of each package of the engine; a class may know its own package and lower ones.
    private static final Map<String, Integer> LSM_HEIGHTS = Map.ofEntries(
            Map.entry("kvant.lsm.compaction.simulation", 5),
            Map.entry("kvant.lsm", 5),
            Map.entry("kvant.lsm.compaction", 4),
            Map.entry("kvant.lsm.flush", 4),
            Map.entry("kvant.lsm.version", 3),
            Map.entry("kvant.lsm.wal", 2),
            Map.entry("kvant.lsm.memtable", 2),
            Map.entry("kvant.lsm.table", 2),
            Map.entry("kvant.lsm.storage", 1),
            Map.entry("kvant.lsm.record", 1),
            Map.entry("kvant.lsm.bytes", 0));

    private static ArchRule soleImporter(String library, String... importers) {
        return noClasses()
                .that()
                .resideOutsideOfPackages(importers)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(library)
                .because(String.join(" and ", importers) + " alone import " + library)
                .allowEmptyShould(true);
    }

    private static ArchRule forbidden(String who, String reason, String... what) {
        return noClasses()
                .that()
                .resideInAPackage(who)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(what)
                .because(reason)
                .allowEmptyShould(true);
    }

    private static ArchRule onlyOfOurs(String who, String... allowed) {
        return noClasses()
                .that()
                .resideInAPackage(who)
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage("kvant..")
                        .and(JavaClass.Predicates.resideOutsideOfPackages(allowed)))
                .because("adapters and the server meet in the port and know nothing of each other")
                .allowEmptyShould(true);
    }

    private static ArchCondition<JavaClass> pointDown() {
        return new ArchCondition<>("know only their own package and lower ones") {
            @Override
            public void check(JavaClass item, ConditionEvents events) {
                for (Dependency dependency : item.getDirectDependenciesFromSelf()) {
                    String from = item.getPackageName();
                    String to = dependency.getTargetClass().getPackageName();
                    if (to.startsWith("kvant.lsm") && !from.equals(to) && height(from) <= height(to)) {
                        events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
                    }
                }
            }
        };
    }

    private static int height(String packageName) {
        Integer height = LSM_HEIGHTS.get(packageName);
        if (height == null) {
            throw new AssertionError("give package " + packageName + " its place in Walls.LSM_HEIGHTS");
        }
        return height;
    }
}
