package kvant.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import kvant.archive.ArchiveRestore.RestorePoint;
import kvant.backup.s3.S3Server;
import kvant.backup.s3.S3Store;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An archive over the protocol of S3, against a server of it from PyPI.
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class S3ArchiveTest {

    /// Of a machine that has other work.
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    @Test
    void aStoreIsArchivedRestoredAndTakenOver() throws Exception {
        try (S3Server server = S3Server.start("archives")) {
            ArchivePlace place = name ->
                    S3Store.open("s3://archives/node/store" + (name.isEmpty() ? "" : "/" + name), server.endpoint());
            try (ArchiveFixture store = new ArchiveFixture(folder.resolve("data"), folder, place)) {
                Archiver archiver = store.paced();
                archiver.start();
                for (int i = 0; i < 12; i++) {
                    store.putSome(2);
                    await().atMost(PATIENCE).until(() -> archiver.state.version == store.states.lastKey());
                }
                await().atMost(PATIENCE).until(() -> archiver.state.merged.get() > 0);
                assertThat(ArchiveRestore.verify(
                                place, problem -> assertThat(problem).isEmpty()))
                        .isZero();
                Path target = folder.resolve("restored");
                store.restore(target).run(new RestorePoint.Version(20), 0);
                TreeMap<Long, Map<String, String>> states = new TreeMap<>(store.states.headMap(21L));
                try (ArchiveFixture restored =
                        new ArchiveFixture(target, folder, place, states, store.clock, ArchiveFixture.SYNCED)) {
                    assertThat(ArchiveFixture.contents(restored.engine)).isEqualTo(states.get(20L));
                    restored.archived();
                    store.putSome(1);
                    await().atMost(PATIENCE).until(() -> archiver.state.stopped);
                    restored.putSome(1);
                    restored.archived();
                    Path again = folder.resolve("again");
                    assertThat(restored.restore(again)
                                    .run(new RestorePoint.Latest(), 0)
                                    .version())
                            .isEqualTo(21);
                    assertThat(ArchiveFixture.contents(again)).isEqualTo(states.get(21L));
                }
            }
        }
    }
}
