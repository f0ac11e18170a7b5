package kvant.walls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;
import kvant.cassandra.cluster.violation.ClusterThatKnowsTheDriver;
import kvant.cassandra.violation.CassandraThatKnowsLsm;
import kvant.engine.violation.EngineThatKnowsTheServer;
import kvant.lab.violation.LabThatKnowsTheProfiler;
import kvant.lab.violation.LabThatKnowsTheServer;
import kvant.lsm.storage.violation.StorageWithoutAPlace;
import kvant.lsm.version.VersionThatKnowsTheCompaction;
import kvant.lsm.violation.LsmThatKnowsRocksDb;
import kvant.move.violation.MoveThatKnowsLsm;
import kvant.rocksdb.violation.RocksDbThatKnowsLsm;
import kvant.server.http.violation.HttpThatKnowsTheEngine;
import kvant.server.service.violation.ServiceThatKnowsHttp;
import kvant.server.service.violation.ServiceThatKnowsNetty;
import kvant.server.service.violation.ServiceThatKnowsPrometheus;
import kvant.server.violation.ServerThatKnowsTheCli;
import kvant.server.violation.ServerThatKnowsTheLab;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The code keeps to its walls, and each wall stops somebody who runs into it on purpose.
class WallsTest {

    private static final JavaClasses CODE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("kvant");

    static Stream<ArchRule> walls() {
        return Stream.of(
                Walls.ENGINE_KNOWS_NOBODY,
                Walls.HTTP_AND_LAB_ALONE_KNOW_NETTY,
                Walls.OBSERVE_ALONE_KNOWS_PROMETHEUS,
                Walls.ROCKSDB_ADAPTER_ALONE_KNOWS_ROCKSDB,
                Walls.PROFILE_ALONE_KNOWS_ASYNC_PROFILER,
                Walls.CASSANDRA_ADAPTER_ALONE_KNOWS_THE_DRIVER,
                Walls.CASSANDRA_KNOWS_ONLY_THE_PORT,
                Walls.CLUSTER_KNOWS_NO_ENGINE,
                Walls.CLI_ALONE_KNOWS_PICOCLI,
                Walls.CLI_ALONE_KNOWS_LOGBACK,
                Walls.TABLES_ALONE_KNOW_LZ4,
                Walls.TABLES_ALONE_KNOW_ZSTD,
                Walls.HTTP_KNOWS_NO_ENGINE,
                Walls.SERVICE_KNOWS_NO_HTTP,
                Walls.SERVER_KNOWS_ONLY_THE_PORT,
                Walls.LSM_KNOWS_ONLY_THE_PORT,
                Walls.LAB_KNOWS_NO_OTHER,
                Walls.NOBODY_BELOW_THE_CLI_KNOWS_THE_LAB,
                Walls.ROCKSDB_KNOWS_ONLY_THE_PORT,
                Walls.MOVE_KNOWS_ONLY_THE_PORT,
                Walls.NOBODY_KNOWS_THE_CLI,
                Walls.LSM_PACKAGES_POINT_DOWN,
                Walls.NO_CYCLES);
    }

    @ParameterizedTest
    @MethodSource("walls")
    void theCodeKeepsTo(ArchRule wall) {
        wall.check(CODE);
    }

    static Stream<Arguments> violations() {
        return Stream.of(
                arguments(Walls.ENGINE_KNOWS_NOBODY, EngineThatKnowsTheServer.class),
                arguments(Walls.HTTP_AND_LAB_ALONE_KNOW_NETTY, ServiceThatKnowsNetty.class),
                arguments(Walls.OBSERVE_ALONE_KNOWS_PROMETHEUS, ServiceThatKnowsPrometheus.class),
                arguments(Walls.ROCKSDB_ADAPTER_ALONE_KNOWS_ROCKSDB, LsmThatKnowsRocksDb.class),
                arguments(Walls.PROFILE_ALONE_KNOWS_ASYNC_PROFILER, LabThatKnowsTheProfiler.class),
                arguments(Walls.CASSANDRA_ADAPTER_ALONE_KNOWS_THE_DRIVER, ClusterThatKnowsTheDriver.class),
                arguments(Walls.CASSANDRA_KNOWS_ONLY_THE_PORT, CassandraThatKnowsLsm.class),
                arguments(Walls.CLUSTER_KNOWS_NO_ENGINE, ClusterThatKnowsTheDriver.class),
                arguments(Walls.CLI_ALONE_KNOWS_PICOCLI, ServerThatKnowsTheCli.class),
                arguments(Walls.CLI_ALONE_KNOWS_LOGBACK, ServerThatKnowsTheCli.class),
                arguments(Walls.HTTP_KNOWS_NO_ENGINE, HttpThatKnowsTheEngine.class),
                arguments(Walls.SERVICE_KNOWS_NO_HTTP, ServiceThatKnowsHttp.class),
                arguments(Walls.SERVER_KNOWS_ONLY_THE_PORT, ServerThatKnowsTheCli.class),
                arguments(Walls.LSM_KNOWS_ONLY_THE_PORT, LsmThatKnowsRocksDb.class),
                arguments(Walls.ROCKSDB_KNOWS_ONLY_THE_PORT, RocksDbThatKnowsLsm.class),
                arguments(Walls.LAB_KNOWS_NO_OTHER, LabThatKnowsTheServer.class),
                arguments(Walls.NOBODY_BELOW_THE_CLI_KNOWS_THE_LAB, ServerThatKnowsTheLab.class),
                arguments(Walls.MOVE_KNOWS_ONLY_THE_PORT, MoveThatKnowsLsm.class),
                arguments(Walls.NOBODY_KNOWS_THE_CLI, ServerThatKnowsTheCli.class),
                arguments(Walls.LSM_PACKAGES_POINT_DOWN, VersionThatKnowsTheCompaction.class));
    }

    @ParameterizedTest
    @MethodSource("violations")
    void stops(ArchRule wall, Class<?> violation) {
        JavaClasses violators = new ClassFileImporter().importClasses(violation);

        assertThat(wall.evaluate(violators).hasViolation()).isTrue();
    }

    @Test
    void stopsACycleOfPackages() {
        JavaClasses ring = new ClassFileImporter().importClasses(LsmThatKnowsRocksDb.class, RocksDbThatKnowsLsm.class);

        assertThat(Walls.NO_CYCLES.evaluate(ring).hasViolation()).isTrue();
    }

    @Test
    void demandsAPlaceForANewPackageOfTheLsmEngine() {
        JavaClasses stranger = new ClassFileImporter().importClasses(StorageWithoutAPlace.class);

        assertThatThrownBy(() -> Walls.LSM_PACKAGES_POINT_DOWN.evaluate(stranger))
                .hasStackTraceContaining("kvant.lsm.storage.violation");
    }

    @Test
    void judgesTheRealClasses() {
        assertThat(CODE.containPackage("kvant.engine")).isTrue();
        assertThat(CODE.containPackage("kvant.cli")).isTrue();
        assertThat(CODE.containPackage("kvant.server")).isTrue();
        assertThat(CODE.containPackage("kvant.lsm")).isTrue();
        assertThat(CODE.containPackage("kvant.lab")).isTrue();
        assertThat(CODE.containPackage("kvant.rocksdb")).isTrue();
        assertThat(CODE.containPackage("kvant.cassandra")).isTrue();
        assertThat(CODE.containPackage("kvant.cassandra.cluster")).isTrue();
        assertThat(CODE.containPackage("kvant.move")).isTrue();
    }
}
