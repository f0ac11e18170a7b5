package kvant.lsm.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import kvant.lsm.compaction.CompactionPlan;
import kvant.lsm.storage.FileNames;
import kvant.lsm.store.Store;
import kvant.lsm.version.Levels;
import kvant.lsm.version.Version;
import kvant.lsm.version.WrittenRun;
import org.junit.jupiter.api.Test;

/// An error of a mapping that the JVM has thrown late, so that the file that was read is unknown.
class UnknownFaultTest {

    @Test
    void itMayBeOfAValueFileToo() throws IOException {
        try (IdleStore idle = new IdleStore()) {
            WrittenRun written = idle.writeSeparated(Levels.runOf(6), "key");
            long table = written.tables().getFirst().number();
            long values = written.values().getFirst().number();
            Store store = idle.store();
            DamagedTables damaged = new DamagedTables(store);
            Version version = store.readers().acquireVersion();
            try {
                CompactionPlan move = new CompactionPlan.Move(List.of(table), Levels.runOf(6));
                assertThat(damaged.isCauseOf(
                                new InternalError(),
                                new MergeTask(version, version.shape(), move, List.of(), 0, Set.of(values))))
                        .isTrue();
                assertThat(store.health().quarantine().tables()).containsExactlyInAnyOrder(table, values);
                assertThat(damaged.unreadable(version, values).file()).endsWith(FileNames.values(values));
                assertThat(damaged.unreadable(version, table).file()).endsWith(FileNames.table(table));
            } finally {
                store.readers().release(version);
            }
            assertThat(damaged.check()).isTrue();
            assertThat(damaged.check()).isTrue();
            assertThat(store.health().quarantine().tables())
                    .as("both can be read")
                    .isEmpty();
        }
    }
}
