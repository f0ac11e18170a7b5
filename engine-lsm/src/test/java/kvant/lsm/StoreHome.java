package kvant.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.random.RandomGenerator;
import kvant.engine.Maintenance;
import kvant.lsm.sim.SimStorage;
import kvant.lsm.storage.DiskStorage;
import kvant.lsm.storage.FileNames;
import kvant.lsm.storage.LogsApart;
import kvant.lsm.storage.Storage;

/// Where a store lives that a test opens again and again. Belongs to one thread.
public sealed interface StoreHome {

    LsmEngine open(LsmOptions options, LsmParts parts);

    default LsmEngine open(LsmOptions options) {
        return open(options, LsmParts.OWN);
    }

    /// The files of the store; read only while no engine has it open.
    Storage files() throws IOException;

    Maintenance maintenance(LsmEngine engine, LsmOptions options);

    /// A directory. What only a directory can do is tried here: checkpoints, and logs that go from one directory to
    /// another from one opening to the next.
    record Directory(Path folder) implements StoreHome {

        @Override
        public LsmEngine open(LsmOptions options, LsmParts parts) {
            Path data = folder.resolve("data");
            Path logs = options.random().nextBoolean() ? data : folder.resolve("logs");
            return LsmEngine.open(data, options.with(o -> o.logPlace = LogPlace.in(logs)), parts);
        }

        @Override
        public Storage files() throws IOException {
            return filesOf(folder.resolve("data"));
        }

        @Override
        public Maintenance maintenance(LsmEngine engine, LsmOptions options) {
            return Objects.requireNonNull(engine.maintenance());
        }

        static Storage filesOf(Path data) throws IOException {
            return LogsApart.find(DiskStorage.open(data.resolve(FileNames.DIRECTORY)));
        }
    }

    /// The simulated storage. What only it can do is tried here: crashes.
    final class Simulated implements StoreHome {

        private SimStorage storage = new SimStorage();

        @Override
        public LsmEngine open(LsmOptions options, LsmParts parts) {
            return TestEngines.open(storage, options, parts);
        }

        @Override
        public Storage files() {
            return storage;
        }

        /// It has no directory: good for everything but checkpoints.
        @Override
        public Maintenance maintenance(LsmEngine engine, LsmOptions options) {
            return TestEngines.maintenance(engine, options);
        }

        /// The files after a power cut or a kill at this moment.
        SimStorage cut(boolean power, RandomGenerator random) {
            return power ? storage.crashed(random) : storage.killed();
        }

        /// The next engine finds another state of the files.
        void replaceBy(SimStorage image) {
            storage = image;
        }

        /// No engine has the store open, and none did what is forbidden.
        void assertLeftInOrder() {
            assertThat(storage.violations()).isEmpty();
            assertThat(storage.openFiles()).as("files left open").isZero();
            assertThat(storage.openMaps()).as("mappings left open").isZero();
        }
    }
}
