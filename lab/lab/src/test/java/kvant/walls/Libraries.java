package kvant.walls;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import kvant.backup.violation.BackupThatKnowsS3;
import kvant.cli.serve.violation.ServeThatKnowsOpenTelemetry;
import kvant.cluster.ClusterThatKnowsTheDriver;
import kvant.lab.command.violation.LabThatKnowsLogback;
import kvant.lab.violation.LabThatKnowsJackson;
import kvant.lab.violation.LabThatKnowsTheProfiler;
import kvant.lab.violation.LabThatKnowsYaml;
import kvant.lsm.table.violation.TableThatKnowsHash4j;
import kvant.lsm.violation.LsmThatKnowsRocksDb;
import kvant.lsm.wal.violation.WalThatKnowsLz4;
import kvant.lsm.wal.violation.WalThatKnowsZstd;
import kvant.server.http.violation.HttpThatKnowsJcTools;
import kvant.server.http.violation.HttpThatKnowsSlf4j;
import kvant.server.service.violation.ServiceThatKnowsLua;
import kvant.server.service.violation.ServiceThatKnowsNetty;
import kvant.server.service.violation.ServiceThatKnowsPrometheus;
import kvant.server.violation.ServerThatKnowsPicocli;
import kvant.text.violation.TextThatKnowsHdrHistogram;

/// Which packages may import a library: a library that is to be replaced, or whose types must not spread, stands behind
/// one wall of ours. Each wall has its violator, which runs into that one and no other.
final class Libraries {

    /// @param packages of the library
    /// @param importers the only packages of ours that may import it
    /// @param violator a class elsewhere that does
    record Wall(String name, List<String> packages, List<String> importers, Class<?> violator) {

        ArchRule rule() {
            return noClasses()
                    .that()
                    .resideOutsideOfPackages(importers.toArray(String[]::new))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(packages.toArray(String[]::new))
                    .because(String.join(" and ", importers) + " alone import " + name);
        }

        boolean holds(JavaClass library) {
            return packages.stream()
                    .map(wildcard -> wildcard.replace("..", ""))
                    .anyMatch(root -> library.getPackageName().equals(root)
                            || library.getPackageName().startsWith(root + "."));
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static final List<Wall> WALLS = List.of(
            wall(
                    "Netty",
                    "io.netty..",
                    ServiceThatKnowsNetty.class,
                    "kvant.server.http..",
                    "kvant.server.resp..",
                    "kvant.server.supervise"),
            wall(
                    "JCTools",
                    "org.jctools..",
                    HttpThatKnowsJcTools.class,
                    "kvant.server.service..",
                    "kvant.server.accesslog"),
            wall("LuaJ", "org.luaj..", ServiceThatKnowsLua.class, "kvant.server.resp"),
            wall("OpenTelemetry", "io.opentelemetry..", ServeThatKnowsOpenTelemetry.class, "kvant.cli.spans"),
            wall("Prometheus", "io.prometheus..", ServiceThatKnowsPrometheus.class, "kvant.server.observe.."),
            wall("RocksDB", "org.rocksdb..", LsmThatKnowsRocksDb.class, "kvant.rocksdb.."),
            new Wall(
                    "the driver of Cassandra and its metrics",
                    List.of("com.datastax..", "com.codahale.."),
                    List.of("kvant.cassandra.."),
                    ClusterThatKnowsTheDriver.class),
            wall("the SDK of AWS", "software.amazon..", BackupThatKnowsS3.class, "kvant.backup.s3"),
            wall("hash4j", "com.dynatrace..", TableThatKnowsHash4j.class, "kvant.lsm.bytes.."),
            wall("LZ4", "net.jpountz..", WalThatKnowsLz4.class, "kvant.lsm.table"),
            wall("Zstandard", "com.github.luben..", WalThatKnowsZstd.class, "kvant.lsm.table"),
            wall("Jackson", "com.fasterxml..", LabThatKnowsJackson.class, "kvant.text..", "kvant.client.."),
            wall("SnakeYAML", "org.snakeyaml..", LabThatKnowsYaml.class, "kvant.text.."),
            wall(
                    "HdrHistogram",
                    "org.HdrHistogram..",
                    TextThatKnowsHdrHistogram.class,
                    "kvant.load..",
                    "kvant.lab.run",
                    "kvant.report.."),
            wall("async-profiler", "one..", LabThatKnowsTheProfiler.class, "kvant.lab.profile.."),
            wall(
                    "picocli",
                    "picocli..",
                    ServerThatKnowsPicocli.class,
                    "kvant.cli..",
                    "kvant.cluster.command",
                    "kvant.lab.command",
                    "kvant.load.command",
                    "kvant.text.command"),
            wall("SLF4J", "org.slf4j..", HttpThatKnowsSlf4j.class, "kvant.cli.control", "kvant.cli.log"),
            wall("Logback", "ch.qos.logback..", LabThatKnowsLogback.class, "kvant.cli.log"));

    /// The packages of Java, and the annotations for null.
    private static final List<String> FOR_ALL =
            List.of("java", "javax", "jdk", "sun", "com.sun", "org.jspecify.annotations", "kvant");

    private Libraries() {}

    private static Wall wall(String name, String packages, Class<?> violator, String... importers) {
        return new Wall(name, List.of(packages), List.of(importers), violator);
    }

    /// Packages of libraries that are imported and stand behind no wall.
    static Set<String> withoutWall(JavaClasses code) {
        Set<String> packages = new TreeSet<>();
        for (JavaClass ours : code) {
            ours.getDirectDependenciesFromSelf().stream()
                    .map(dependency -> dependency.getTargetClass().getBaseComponentType())
                    .filter(target -> !target.isPrimitive() && !isForAll(target))
                    .filter(target -> WALLS.stream().noneMatch(wall -> wall.holds(target)))
                    .forEach(target -> packages.add(target.getPackageName()));
        }
        return packages;
    }

    private static boolean isForAll(JavaClass target) {
        String name = target.getPackageName();
        return FOR_ALL.stream().anyMatch(root -> name.equals(root) || name.startsWith(root + "."));
    }
}
