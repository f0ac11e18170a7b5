package kvant.cli.move;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import kvant.move.copy.CopyState;
import kvant.move.copy.Progress;
import kvant.move.copy.RangeDifference;
import kvant.text.ProgressLine;
import kvant.text.Units;

/// Shows the progress of a copy: on a terminal in one line that is overwritten, elsewhere with a line each
/// minute.
///
/// Used by the thread of the copy alone.
final class CopyLine implements Progress, AutoCloseable {

    private static final long DRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long PRINT_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final ProgressLine line;
    private long shownNanos = System.nanoTime();
    private long shownBytes;

    CopyLine(ProgressLine line) {
        this.line = line;
    }

    /// A line that stays.
    void note(String text) {
        line.note(text);
    }

    @Override
    public void copied(CopyState state) {
        byte[] key = state.key();
        if (key != null) {
            show("copied", state.records(), state.bytes(), key);
        }
    }

    @Override
    public void compared(long records, long bytes, byte[] key) {
        show("compared", records, bytes, key);
    }

    private void show(String what, long records, long bytes, byte[] key) {
        long now = System.nanoTime();
        long passed = now - shownNanos;
        if (passed < (line.isTerminal() ? DRAW_NANOS : PRINT_NANOS)) {
            return;
        }
        long bytesPerSecond = (long) (Math.max(0, bytes - shownBytes) * 1e9 / passed);
        shownNanos = now;
        shownBytes = bytes;
        String state = String.format(
                Locale.ROOT,
                "%s %,d records, %s, %s/s, up to %s",
                what,
                records,
                Units.bytes(bytes),
                Units.bytes(bytesPerSecond),
                RangeDifference.text(key));
        if (line.isTerminal()) {
            line.draw(state);
        } else {
            note(state);
        }
    }

    @Override
    public void close() {
        line.close();
    }
}
