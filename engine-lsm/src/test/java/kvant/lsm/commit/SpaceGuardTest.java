package kvant.lsm.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import kvant.engine.CompletionSink;
import kvant.engine.Write;
import kvant.engine.WriteBatch;
import kvant.lsm.storage.SmallDisk;
import org.junit.jupiter.api.Test;

/// When the disk is looked at.
class SpaceGuardTest {

    private static final long HEADROOM_BYTES = 16_000;

    /// The time between two looks has not passed, so that only what was written can be the reason for one.
    @Test
    void whatIsWrittenMeanwhileIsCounted() {
        SmallDisk disk = new SmallDisk(1 << 20);
        SpaceGuard guard = new SpaceGuard(disk, HEADROOM_BYTES, Long.MAX_VALUE, () -> 0, () -> false);
        assertThat(guard.check()).isNull();
        long lookedNanos = System.nanoTime();
        disk.setUsableBytes(HEADROOM_BYTES - 1);
        guard.admit(ofBytes(500));
        boolean unseen = guard.check() == null;
        guard.admit(ofBytes(501));
        assertThat(guard.check()).isNotNull();
        if (System.nanoTime() - lookedNanos < SpaceGuard.CHECK_NANOS) {
            assertThat(unseen).as("a look for each group would cost too much").isTrue();
        }
    }

    private static List<Write> ofBytes(int bytes) {
        int empty = Math.toIntExact(WriteBatch.put(new byte[1], new byte[0]).bytes());
        return List.of(new Write(WriteBatch.put(new byte[1], new byte[bytes - empty]), new UnusedSink()));
    }

    private static final class UnusedSink implements CompletionSink {

        @Override
        public void completed(Write write) {
            throw new AssertionError("nothing is settled");
        }

        @Override
        public void wake() {
            throw new AssertionError("nobody is woken");
        }
    }
}
