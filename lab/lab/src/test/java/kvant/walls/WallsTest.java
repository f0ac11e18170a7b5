package kvant.walls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;
import kvant.archive.violation.ArchiveThatKnowsLsm;
import kvant.backup.violation.BackupThatKnowsTheEngine;
import kvant.cassandra.violation.CassandraThatKnowsLsm;
import kvant.cassandra.violation.CassandraThatRunsServers;
import kvant.cli.store.StoreThatKnowsServe;
import kvant.cli.violation.CliThatKnowsTheLoad;
import kvant.client.violation.ClientThatKnowsTheServer;
import kvant.cluster.ClusterThatKnowsTheDriver;
import kvant.cluster.command.CommandThatKnowsTheEngine;
import kvant.engine.violation.EngineThatKnowsTheServer;
import kvant.lab.result.ResultThatKnowsTheRun;
import kvant.lab.run.RunThatKnowsTheReport;
import kvant.lab.violation.LabThatKnowsTheServer;
import kvant.load.net.NetThatKnowsTheLoop;
import kvant.load.violation.LoadThatKnowsTheLab;
import kvant.lsm.commit.CommitThatKnowsRecovery;
import kvant.lsm.operate.OperateThatKnowsTheEngine;
import kvant.lsm.read.ReadThatKnowsTheStore;
import kvant.lsm.storage.violation.StorageWithoutAPlace;
import kvant.lsm.version.VersionThatKnowsTheCompaction;
import kvant.lsm.violation.LsmThatKnowsRocksDb;
import kvant.move.violation.MoveThatKnowsLsm;
import kvant.report.verdict.VerdictThatKnowsWords;
import kvant.report.violation.ReportThatKnowsTheLab;
import kvant.rocksdb.violation.RocksDbThatKnowsLsm;
import kvant.server.admit.AdmissionThatKnowsTheExecutor;
import kvant.server.execute.ExecutorThatKnowsTheService;
import kvant.server.http.parse.ParserThatKnowsAChannel;
import kvant.server.http.parse.ParserThatKnowsTheAnswer;
import kvant.server.http.violation.ConnectionThatKnowsItsLoop;
import kvant.server.http.violation.HttpThatKnowsTheEngine;
import kvant.server.http.violation.LoopThatKnowsItsConnection;
import kvant.server.service.violation.ServiceThatKnowsHttp;
import kvant.server.violation.ServerThatKnowsTheCli;
import kvant.server.violation.ServerThatKnowsTheLab;
import kvant.text.violation.TextThatKnowsTheLoad;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The code keeps to its walls, and each wall stops a deliberate violator.
class WallsTest {

    private static final JavaClasses CODE = Code.ALL;

    static Stream<ArchRule> walls() {
        return Stream.of(
                Walls.ENGINE_KNOWS_NOBODY,
                Walls.CASSANDRA_KNOWS_ONLY_THE_PORT,
                Walls.CLUSTER_KNOWS_NOBODY,
                Walls.CLUSTER_COMMAND_KNOWS_ONLY_TEXT,
                Walls.NO_PRODUCT_RUNS_SERVERS,
                Walls.HTTP_KNOWS_NO_ENGINE,
                Walls.SERVICE_KNOWS_NO_HTTP,
                Walls.SERVER_KNOWS_ONLY_THE_PORT_AND_TEXT,
                Walls.SERVER_PACKAGES_POINT_DOWN,
                Walls.PARSERS_KNOW_NO_CHANNEL,
                Walls.HTTP_CLASSES_HAVE_NO_CYCLES,
                Walls.LSM_KNOWS_ONLY_THE_PORT,
                Walls.TEXT_KNOWS_NOBODY,
                Walls.LOAD_KNOWS_ONLY_TEXT,
                Walls.LAB_KNOWS_ONLY_LOAD_AND_TEXT,
                Walls.LAB_COMMANDS_ALONE_REPORT,
                Walls.REPORT_KNOWS_RESULTS_ALONE,
                Walls.NODE_KNOWS_NO_LAB,
                Walls.ROCKSDB_KNOWS_ONLY_THE_PORT,
                Walls.MOVE_KNOWS_ONLY_THE_PORT,
                Walls.BACKUP_KNOWS_ONLY_TEXT,
                Walls.CLIENT_KNOWS_NOBODY,
                Walls.NOBODY_KNOWS_THE_CLI,
                Walls.LSM_PACKAGES_POINT_DOWN,
                Walls.LOAD_PACKAGES_POINT_DOWN,
                Walls.CLI_PACKAGES_POINT_DOWN,
                Walls.LAB_PACKAGES_POINT_DOWN,
                Walls.REPORT_PACKAGES_POINT_DOWN,
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
                arguments(Walls.CASSANDRA_KNOWS_ONLY_THE_PORT, CassandraThatKnowsLsm.class),
                arguments(Walls.CLUSTER_KNOWS_NOBODY, ClusterThatKnowsTheDriver.class),
                arguments(Walls.CLUSTER_COMMAND_KNOWS_ONLY_TEXT, CommandThatKnowsTheEngine.class),
                arguments(Walls.NO_PRODUCT_RUNS_SERVERS, CassandraThatRunsServers.class),
                arguments(Walls.HTTP_KNOWS_NO_ENGINE, HttpThatKnowsTheEngine.class),
                arguments(Walls.SERVICE_KNOWS_NO_HTTP, ServiceThatKnowsHttp.class),
                arguments(Walls.SERVER_KNOWS_ONLY_THE_PORT_AND_TEXT, ServerThatKnowsTheCli.class),
                arguments(Walls.SERVER_PACKAGES_POINT_DOWN, AdmissionThatKnowsTheExecutor.class),
                arguments(Walls.SERVER_PACKAGES_POINT_DOWN, ExecutorThatKnowsTheService.class),
                arguments(Walls.SERVER_PACKAGES_POINT_DOWN, ParserThatKnowsTheAnswer.class),
                arguments(Walls.PARSERS_KNOW_NO_CHANNEL, ParserThatKnowsAChannel.class),
                arguments(Walls.LSM_KNOWS_ONLY_THE_PORT, LsmThatKnowsRocksDb.class),
                arguments(Walls.ROCKSDB_KNOWS_ONLY_THE_PORT, RocksDbThatKnowsLsm.class),
                arguments(Walls.TEXT_KNOWS_NOBODY, TextThatKnowsTheLoad.class),
                arguments(Walls.LOAD_KNOWS_ONLY_TEXT, LoadThatKnowsTheLab.class),
                arguments(Walls.LAB_KNOWS_ONLY_LOAD_AND_TEXT, LabThatKnowsTheServer.class),
                arguments(Walls.REPORT_KNOWS_RESULTS_ALONE, ReportThatKnowsTheLab.class),
                arguments(Walls.LAB_COMMANDS_ALONE_REPORT, RunThatKnowsTheReport.class),
                arguments(Walls.NODE_KNOWS_NO_LAB, ServerThatKnowsTheLab.class),
                arguments(Walls.NODE_KNOWS_NO_LAB, CliThatKnowsTheLoad.class),
                arguments(Walls.MOVE_KNOWS_ONLY_THE_PORT, MoveThatKnowsLsm.class),
                arguments(Walls.BACKUP_KNOWS_ONLY_TEXT, BackupThatKnowsTheEngine.class),
                arguments(Walls.ARCHIVE_KNOWS_ONLY_BACKUPS_AND_THE_PORT, ArchiveThatKnowsLsm.class),
                arguments(Walls.CLIENT_KNOWS_NOBODY, ClientThatKnowsTheServer.class),
                arguments(Walls.NOBODY_KNOWS_THE_CLI, ServerThatKnowsTheCli.class),
                arguments(Walls.LSM_PACKAGES_POINT_DOWN, OperateThatKnowsTheEngine.class),
                arguments(Walls.LSM_PACKAGES_POINT_DOWN, CommitThatKnowsRecovery.class),
                arguments(Walls.LSM_PACKAGES_POINT_DOWN, ReadThatKnowsTheStore.class),
                arguments(Walls.LSM_PACKAGES_POINT_DOWN, VersionThatKnowsTheCompaction.class),
                arguments(Walls.LOAD_PACKAGES_POINT_DOWN, NetThatKnowsTheLoop.class),
                arguments(Walls.LAB_PACKAGES_POINT_DOWN, ResultThatKnowsTheRun.class),
                arguments(Walls.REPORT_PACKAGES_POINT_DOWN, VerdictThatKnowsWords.class),
                arguments(Walls.CLI_PACKAGES_POINT_DOWN, StoreThatKnowsServe.class));
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
    void stopsACycleOfClassesThatServeHttp() {
        JavaClasses ring = new ClassFileImporter()
                .importClasses(LoopThatKnowsItsConnection.class, ConnectionThatKnowsItsLoop.class);

        assertThat(Walls.HTTP_CLASSES_HAVE_NO_CYCLES.evaluate(ring).hasViolation())
                .isTrue();
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
        assertThat(CODE.containPackage("kvant.text")).isTrue();
        assertThat(CODE.containPackage("kvant.load.loop")).isTrue();
        assertThat(CODE.containPackage("kvant.lab.run")).isTrue();
        assertThat(CODE.containPackage("kvant.report")).isTrue();
        assertThat(CODE.containPackage("kvant.rocksdb")).isTrue();
        assertThat(CODE.containPackage("kvant.cassandra")).isTrue();
        assertThat(CODE.containPackage("kvant.cluster")).isTrue();
        assertThat(CODE.containPackage("kvant.archive")).isTrue();
        assertThat(CODE.containPackage("kvant.backup")).isTrue();
        assertThat(CODE.containPackage("kvant.move")).isTrue();
        assertThat(CODE.containPackage("kvant.client")).isTrue();
    }
}
