package kvant.lsm.compaction;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import kvant.lsm.version.Levels;
import kvant.lsm.version.Shape;
import kvant.lsm.version.Shape.RunShape;
import kvant.lsm.version.Shape.TableShape;

/// Shapes of stores that do not exist.
final class Shapes {

    private Shapes() {}

    /// Runs of one table each, all over the same keys, newest first.
    static Shape runs(List<Long> runBytes) {
        List<RunShape> runs = new ArrayList<>();
        for (int i = 0; i < runBytes.size(); i++) {
            long number = runBytes.size() - i;
            runs.add(new RunShape(Levels.newestRun(number), List.of(table(number, 0, 999, runBytes.get(i)))));
        }
        return new Shape(runs);
    }

    /// A table of undeleted records; keys are big-endian numbers.
    static TableShape table(long number, int smallest, int largest, long bytes) {
        return new TableShape(number, key(smallest), key(largest), bytes, 100, 0, 0, 0, List.of());
    }

    static byte[] key(int number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    }

    static int number(byte[] key) {
        return ByteBuffer.wrap(key).getInt();
    }
}
