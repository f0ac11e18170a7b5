package kvant.server.resp;

/// Bounds of one run of a script.
///
/// @param steps instructions of the virtual machine
/// @param bytes that it allocates, of which none is given back before its end
public record ScriptLimits(long steps, long bytes, long millis) {

    public static final ScriptLimits DEFAULT = new ScriptLimits(1_000_000, 16 << 20, 1_000);

    private static final long MOST_STEPS = 1_000_000_000;
    private static final long MOST_BYTES = 1 << 30;
    private static final long MOST_MILLIS = 60_000;

    public ScriptLimits {
        within(MOST_STEPS, steps, "instructions of a script");
        within(MOST_BYTES, bytes, "bytes of memory of a script");
        within(MOST_MILLIS, millis, "milliseconds of a script");
    }

    private static void within(long most, long number, String what) {
        if (number < 1 || number > most) {
            throw new IllegalArgumentException("the " + what + " are 1 to " + most + ", not " + number);
        }
    }
}
