package kvant.walls;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.util.Map;

/// The walls of ARCHITECTURE.md between our own packages, as rules over compiled classes; [Libraries] has
/// those around libraries. A rule with nothing to judge yet holds.
final class Walls {

    /// Height of each package of the engine; a class may know its own package and lower ones.
    private static final Map<String, Integer> LSM_HEIGHTS = Map.ofEntries(
            Map.entry("kvant.lsm", 8),
            Map.entry("kvant.lsm.commit", 7),
            Map.entry("kvant.lsm.background", 7),
            Map.entry("kvant.lsm.recover", 7),
            Map.entry("kvant.lsm.operate", 7),
            Map.entry("kvant.lsm.changes", 7),
            Map.entry("kvant.lsm.store", 6),
            Map.entry("kvant.lsm.read", 5),
            Map.entry("kvant.lsm.compaction", 5),
            Map.entry("kvant.lsm.version", 4),
            Map.entry("kvant.lsm.wal", 3),
            Map.entry("kvant.lsm.memtable", 3),
            Map.entry("kvant.lsm.table", 3),
            Map.entry("kvant.lsm.value", 2),
            Map.entry("kvant.lsm.cache", 1),
            Map.entry("kvant.lsm.storage", 1),
            Map.entry("kvant.lsm.record", 1),
            Map.entry("kvant.lsm.bytes", 0));

    /// Height of each package of the laboratory.
    private static final Map<String, Integer> LAB_HEIGHTS = Map.ofEntries(
            Map.entry("kvant.lab.command", 4),
            Map.entry("kvant.lab.run", 3),
            Map.entry("kvant.lab.commit", 3),
            Map.entry("kvant.lab.process", 2),
            Map.entry("kvant.lab.experiment", 1),
            Map.entry("kvant.lab.profile", 1),
            Map.entry("kvant.lab.tail", 1),
            Map.entry("kvant.lab.result", 0));

    /// Height of each package of the report. Verdicts and words know nothing of each other.
    private static final Map<String, Integer> REPORT_HEIGHTS = Map.ofEntries(
            Map.entry("kvant.report", 4),
            Map.entry("kvant.report.page", 3),
            Map.entry("kvant.report.sentence", 2),
            Map.entry("kvant.report.verdict", 1),
            Map.entry("kvant.report.words", 1),
            Map.entry("kvant.report.inference", 0),
            Map.entry("kvant.report.folder", 0));

    /// The same for the load generator.
    private static final Map<String, Integer> LOAD_HEIGHTS = Map.ofEntries(
            Map.entry("kvant.load.command", 11),
            Map.entry("kvant.load.output", 10),
            Map.entry("kvant.load.compare", 9),
            Map.entry("kvant.load.result", 8),
            Map.entry("kvant.load.search", 7),
            Map.entry("kvant.load.run", 6),
            Map.entry("kvant.load.loop", 5),
            Map.entry("kvant.load.plan", 4),
            Map.entry("kvant.load.record", 4),
            Map.entry("kvant.load.workload", 3),
            Map.entry("kvant.load.dialect", 2),
            Map.entry("kvant.load.keys", 1),
            Map.entry("kvant.load.http", 1),
            Map.entry("kvant.load.net", 1),
            Map.entry("kvant.load.host", 1));

    /// The same for the server.
    private static final Map<String, Integer> SERVER_HEIGHTS = Map.ofEntries(
            Map.entry("kvant.server.warm", 10),
            Map.entry("kvant.server", 9),
            Map.entry("kvant.server.http", 8),
            Map.entry("kvant.server.observe", 8),
            Map.entry("kvant.server.supervise", 8),
            Map.entry("kvant.server.resp", 7),
            Map.entry("kvant.server.resp.parse", 6),
            Map.entry("kvant.server.http.parse", 5),
            Map.entry("kvant.server.http.tls", 5),
            Map.entry("kvant.server.http.answer", 5),
            Map.entry("kvant.server.http.contract", 4),
            Map.entry("kvant.server.service", 3),
            Map.entry("kvant.server.accesslog", 3),
            Map.entry("kvant.server.request", 2),
            Map.entry("kvant.server.execute", 2),
            Map.entry("kvant.server.admit", 1),
            Map.entry("kvant.server.access", 1));

    /// The same for the command line: Main knows all, what people do knows what is shared and not each other.
    private static final Map<String, Integer> CLI_HEIGHTS = Map.ofEntries(
            Map.entry("kvant.cli", 3),
            Map.entry("kvant.cli.serve", 2),
            Map.entry("kvant.cli.store", 2),
            Map.entry("kvant.cli.move", 2),
            Map.entry("kvant.cli.config", 2),
            Map.entry("kvant.cli.manual", 2),
            Map.entry("kvant.cli.node", 2),
            Map.entry("kvant.cli.spans", 1),
            Map.entry("kvant.cli.engine", 1),
            Map.entry("kvant.cli.control", 1),
            Map.entry("kvant.cli.log", 1));

    private Walls() {}

    static final ArchRule ENGINE_KNOWS_NOBODY = classes()
            .that()
            .resideInAPackage("kvant.engine..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("kvant.engine..", "java..", "org.jspecify..")
            .because("the port is what every adapter and the server agree on: it has no third-party types")
            .allowEmptyShould(true);

    static final ArchRule TEXT_KNOWS_NOBODY = onlyOfOurs("kvant.text..", "kvant.text..");

    static final ArchRule LOAD_KNOWS_ONLY_TEXT = onlyOfOurs("kvant.load..", "kvant.load..", "kvant.text..");

    static final ArchRule LAB_KNOWS_ONLY_LOAD_AND_TEXT =
            onlyOfOurs("kvant.lab..", "kvant.lab..", "kvant.report..", "kvant.load..", "kvant.text..");

    static final ArchRule LAB_COMMANDS_ALONE_REPORT =
            soleImporter("kvant.report..", "kvant.report..", "kvant.lab.command");

    static final ArchRule REPORT_KNOWS_RESULTS_ALONE =
            onlyOfOurs("kvant.report..", "kvant.report..", "kvant.lab.result..", "kvant.load..", "kvant.text..");

    static final ArchRule NODE_KNOWS_NO_LAB = noClasses()
            .that()
            .resideOutsideOfPackages("kvant.lab..", "kvant.load..", "kvant.report..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("kvant.lab..", "kvant.load..", "kvant.report..")
            .because("what is measured does not know who measures")
            .allowEmptyShould(true);

    static final ArchRule HTTP_KNOWS_NO_ENGINE = noClasses()
            .that()
            .resideInAPackage("kvant.server.http..")
            .should()
            .dependOnClassesThat(resideInAPackage("kvant.engine..").and(not(simpleName("MetricSink"))))
            .because("http turns bytes into requests and outcomes into bytes");

    static final ArchRule SERVICE_KNOWS_NO_HTTP =
            forbidden("kvant.server.service..", "use cases are the same for every transport", "kvant.server.http..");

    static final ArchRule SERVER_KNOWS_ONLY_THE_PORT_AND_TEXT =
            onlyOfOurs("kvant.server..", "kvant.server..", "kvant.engine..", "kvant.text..");

    static final ArchRule SERVER_PACKAGES_POINT_DOWN = classes()
            .that()
            .resideInAPackage("kvant.server..")
            .should(pointDown("kvant.server", SERVER_HEIGHTS))
            .because("server -> {http, observe, supervise} -> resp -> resp.parse -> {parse, answer, tls} -> contract"
                    + " -> service -> {request, execute} -> {admit, access}")
            .allowEmptyShould(true);

    static final ArchRule PARSERS_KNOW_NO_CHANNEL = forbidden(
            "kvant.server.http.parse..", "a parser turns buffers into requests, whoever reads", "io.netty.channel..");

    static final ArchRule HTTP_CLASSES_HAVE_NO_CYCLES = SlicesRuleDefinition.slices()
            .assignedFrom(classesOf("kvant.server.http"))
            .should()
            .beFreeOfCycles()
            .allowEmptyShould(true);

    static final ArchRule LSM_KNOWS_ONLY_THE_PORT = onlyOfOurs("kvant.lsm..", "kvant.lsm..", "kvant.engine..");

    static final ArchRule ROCKSDB_KNOWS_ONLY_THE_PORT =
            onlyOfOurs("kvant.rocksdb..", "kvant.rocksdb..", "kvant.engine..");

    static final ArchRule CASSANDRA_KNOWS_ONLY_THE_PORT =
            onlyOfOurs("kvant.cassandra..", "kvant.cassandra..", "kvant.engine..");

    /// The package that runs servers needs no client of theirs: it must work before one could connect.
    static final ArchRule CLUSTER_KNOWS_NOBODY = classes()
            .that()
            .resideInAPackage("kvant.cluster")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("kvant.cluster", "java..", "org.jspecify..")
            .because("servers are run with the JDK alone")
            .allowEmptyShould(true);

    static final ArchRule CLUSTER_COMMAND_KNOWS_ONLY_TEXT =
            onlyOfOurs("kvant.cluster.command", "kvant.cluster..", "kvant.text..");

    static final ArchRule NO_PRODUCT_RUNS_SERVERS = soleImporter("kvant.cluster..", "kvant.cluster..");

    static final ArchRule MOVE_KNOWS_ONLY_THE_PORT =
            onlyOfOurs("kvant.move..", "kvant.move..", "kvant.engine..", "kvant.client..", "kvant.text..");

    static final ArchRule BACKUP_KNOWS_ONLY_TEXT = onlyOfOurs("kvant.backup..", "kvant.backup..", "kvant.text..");

    static final ArchRule ARCHIVE_KNOWS_ONLY_BACKUPS_AND_THE_PORT =
            onlyOfOurs("kvant.archive..", "kvant.archive..", "kvant.backup", "kvant.engine..", "kvant.text..");

    static final ArchRule CLIENT_KNOWS_NOBODY = onlyOfOurs("kvant.client..", "kvant.client..");

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
            .should(pointDown("kvant.lsm", LSM_HEIGHTS))
            .because("lsm -> {commit, background, recover, operate} -> store -> {read, compaction}"
                    + " -> version -> {wal, memtable, table} -> value -> {storage, record} -> bytes")
            .allowEmptyShould(true);

    static final ArchRule LAB_PACKAGES_POINT_DOWN = classes()
            .that()
            .resideInAPackage("kvant.lab..")
            .should(pointDown("kvant.lab", LAB_HEIGHTS))
            .because("command -> run -> {experiment, profile, tail, commit} -> result")
            .allowEmptyShould(true);

    static final ArchRule REPORT_PACKAGES_POINT_DOWN = classes()
            .that()
            .resideInAPackage("kvant.report..")
            .should(pointDown("kvant.report", REPORT_HEIGHTS))
            .because("report -> page -> {sentence, truth} -> {verdict, words} -> {folder, inference}")
            .allowEmptyShould(true);

    static final ArchRule LOAD_PACKAGES_POINT_DOWN = classes()
            .that()
            .resideInAPackage("kvant.load..")
            .should(pointDown("kvant.load", LOAD_HEIGHTS))
            .because("command -> output -> compare -> result -> search -> run -> loop -> {plan, record}"
                    + " -> {workload, schedule} -> dialect -> {keys, http, net} -> random")
            .allowEmptyShould(true);

    static final ArchRule CLI_PACKAGES_POINT_DOWN = classes()
            .that()
            .resideInAPackage("kvant.cli..")
            .should(pointDown("kvant.cli", CLI_HEIGHTS))
            .because("Main -> {serve, store, move, config, manual} -> {engine, control}")
            .allowEmptyShould(true);

    static final ArchRule NO_CYCLES = SlicesRuleDefinition.slices()
            .matching("kvant.(**)")
            .should()
            .beFreeOfCycles()
            .allowEmptyShould(true);

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

    private static ArchCondition<JavaClass> pointDown(String root, Map<String, Integer> heights) {
        return new ArchCondition<>("know only their own package and lower ones") {
            @Override
            public void check(JavaClass item, ConditionEvents events) {
                for (Dependency dependency : item.getDirectDependenciesFromSelf()) {
                    String from = item.getPackageName();
                    String to = dependency.getTargetClass().getPackageName();
                    if (isIn(root, to) && !from.equals(to) && height(heights, from) <= height(heights, to)) {
                        events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
                    }
                }
            }
        };
    }

    private static boolean isIn(String root, String packageName) {
        return packageName.equals(root) || packageName.startsWith(root + ".");
    }

    private static int height(Map<String, Integer> heights, String packageName) {
        Integer height = heights.get(packageName);
        if (height == null) {
            throw new AssertionError("give package " + packageName + " its place among the heights in Walls");
        }
        return height;
    }

    /// Classes that stand in one file are one slice.
    private static SliceAssignment classesOf(String root) {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass item) {
                String file = item.getName().replaceFirst("\\$.*", "");
                return isIn(root, item.getPackageName()) ? SliceIdentifier.of(file) : SliceIdentifier.ignore();
            }

            @Override
            public String getDescription() {
                return "classes of " + root;
            }
        };
    }
}
