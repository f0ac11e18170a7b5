package kvant.move.mirror;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvant.engine.Durability;
import kvant.engine.Engine;
import kvant.engine.EngineContract;
import kvant.engine.RecordingSink;
import kvant.engine.Samples;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/// A store that is being mirrored keeps every promise of an engine, but for the order of answers.
class MirrorContractTest extends EngineContract {

    @Override
    protected Engine open(Path directory, Durability durability) {
        LsmOptions options = LsmOptions.defaults().withDurability(durability);
        Engine source = LsmEngine.open(directory, options);
        Path other = directory.resolveSibling(directory.getFileName() + "-mirror");
        return MirrorEngine.over(
                source,
                () -> MirrorFixture.lsm(other),
                false,
                MirrorFixture.marks(true),
                MirrorOptions.DEFAULT.withBytesPerSecond(0));
    }

    /// Writes of different keys may share a line, and then pass each other; those of one key never do.
    @Test
    @Override
    public void writesOfOneThreadAreCompletedInTheirOrder() {
        RecordingSink sink = new RecordingSink();
        List<Write> submitted = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            Write write = new Write(WriteBatch.of(Samples.put("key", "" + i)), sink);
            submitted.add(write);
            engine().submit(write);
        }
        sink.awaitCompleted(submitted.size());
        Assertions.assertThat(sink.completed()).containsExactlyElementsOf(submitted);
    }
}
