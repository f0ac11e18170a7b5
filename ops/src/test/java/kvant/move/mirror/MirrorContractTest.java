package kvant.move.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvant.engine.Durability;
import kvant.engine.LocalEngine;
import kvant.engine.LocalEngineContract;
import kvant.engine.RecordingSink;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import org.junit.jupiter.api.Test;

/// A store that is being mirrored keeps every promise of a local engine. The order of answers is not the order of one
/// log: writes of different keys may share a line, and then pass each other.
class MirrorContractTest extends LocalEngineContract {

    @Override
    protected LocalEngine open(Path directory, Durability durability) {
        LocalEngine source = LsmEngine.open(directory, LsmOptions.defaults().withDurability(durability));
        Path other = directory.resolveSibling(directory.getFileName() + "-mirror");
        return LocalMirror.over(
                source,
                () -> MirrorFixture.lsm(other),
                MirrorFixture.marks(true),
                MirrorOptions.DEFAULT.withBytesPerSecond(0));
    }

    @Test
    void writesOfOneKeyAreCompletedInTheirOrder() {
        RecordingSink sink = new RecordingSink();
        List<Write> submitted = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            Write write = new Write(WriteBatch.of(Samples.put("key", "" + i)), sink);
            submitted.add(write);
            engine().submit(write);
        }
        sink.awaitCompleted(submitted.size());
        assertThat(sink.completed()).containsExactlyElementsOf(submitted);
    }
}
