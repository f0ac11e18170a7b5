package kvant.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import kvant.move.copy.CopyState;
import kvant.move.copy.Progress;
import kvant.move.copy.RangeDifference;

/// How a copy goes: on a terminal a line that is drawn over, elsewhere a line each minute.
///
/// Used by the thread of the copy alone.
final class CopyLine implements Progress, AutoCloseable {

    private static final String CLEAR = "\r\u001b[K";
    private static final long DRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long PRINT_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final PrintWriter err;
    private final boolean terminal;
    private long shownNanos = System.nanoTime();
    private long shownBytes;
    private boolean drawn;

    CopyLine(PrintWriter err, boolean terminal) {
        this.err = err;
        this.terminal = terminal;
    }

    /// A line that stays.
    void note(String text) {
        close();
        err.println("kvant: " + text);
        err.flush();
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
        if (passed < (terminal ? DRAW_NANOS : PRINT_NANOS)) {
            return;
        }
        long bytesPerSecond = (long) (Math.max(0, bytes - shownBytes) * 1e9 / passed);
        shownNanos = now;
        shownBytes = bytes;
        String line = String.format(
                Locale.ROOT,
                "%s %,d records, %s, %s/s, up to %s",
                what,
                records,
                new ByteCount(bytes),
                new ByteCount(bytesPerSecond),
                RangeDifference.text(key));
        if (terminal) {
            err.print(CLEAR + line);
            err.flush();
            drawn = true;
        } else {
            note(line);
        }
    }

    @Override
    public void close() {
        if (drawn) {
            err.print(CLEAR);
            err.flush();
            drawn = false;
        }
    }
}
