package kvant.server.admit;

/// How long the next value may be, judged by the last ones: while they are long, memory is claimed before a value is
/// read, because afterwards it is there already.
///
/// Any thread may call; races cost precision only. Small values cost one read of a field.
public final class ExpectedAnswer {

    /// Values up to this length are bounded well enough by the threads that read.
    public static final int SMALL_BYTES = 64 << 10;

    /// A smaller value takes a sixteenth of the expectation away.
    private static final int DECAY_SHIFT = 4;

    private volatile int bytes;

    /// What to claim; 0 for nothing.
    public int bytes() {
        int expected = bytes;
        return expected <= SMALL_BYTES ? 0 : expected;
    }

    /// A value of this length was read, or none.
    public void seen(int length) {
        int expected = bytes;
        if (length > expected && length > SMALL_BYTES) {
            bytes = length;
        } else if (expected > SMALL_BYTES) {
            bytes = Math.max(length, expected - (expected >> DECAY_SHIFT));
        }
    }
}
