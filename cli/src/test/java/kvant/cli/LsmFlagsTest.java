package kvant.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import kvant.engine.Durability;
import kvant.engine.Engine;
import kvant.lsm.LockedReads;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// The switches of the LSM engine reach it.
class LsmFlagsTest {

    @TempDir
    private Path folder;

    @Test
    void flushesHappenInTheBackgroundUnlessAskedOtherwise() {
        assertThat(flush()).isEqualTo(LsmOptions.Flush.BACKGROUND);
        assertThat(flush("--lsm.flush", "BACKGROUND")).isEqualTo(LsmOptions.Flush.BACKGROUND);
        assertThat(flush("--lsm.flush", "FOREGROUND")).isEqualTo(LsmOptions.Flush.FOREGROUND);
    }

    @Test
    void readsAreFreeUnlessAskedOtherwise() {
        assertThat(engine()).isEqualTo(LsmEngine.class);
        assertThat(engine("--lsm.reads", "FREE")).isEqualTo(LsmEngine.class);
        assertThat(engine("--lsm.reads", "LOCKED")).isEqualTo(LockedReads.class);
    }

    private static LsmOptions.Flush flush(String... arguments) {
        return flags(arguments).options(Durability.NONE).flush();
    }

    private Class<? extends Engine> engine(String... arguments) {
        LsmFlags flags = flags(arguments);
        try (Engine engine = flags.open(folder, flags.options(Durability.NONE))) {
            return engine.getClass();
        }
    }

    private static LsmFlags flags(String... arguments) {
        return CommandLine.populateCommand(new LsmFlags(), arguments);
    }
}
