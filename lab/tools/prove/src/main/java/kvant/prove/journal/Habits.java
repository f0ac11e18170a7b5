package kvant.prove.journal;

/// The load by the writers of a journal.
///
/// @param putsAlone whether they only put, so that each answer has the version
/// @param timesToLive whether some values get one
/// @param longestValue in bytes
/// @param pauseMillis between the writes of one writer
/// @param tries of each call, the first among them
public record Habits(
        int writers, int keys, boolean putsAlone, boolean timesToLive, int longestValue, long pauseMillis, int tries) {

    public static final Habits ALL = new Habits(4, 240, false, true, 600 << 10, 0, 1);
    public static final Habits PUTS = new Habits(4, 240, true, false, 20 << 10, 0, 1);
    public static final Habits PATIENT = new Habits(8, 240, false, true, 1 << 10, 40, 6);

    static final long DEADLINE_MILLIS = 10_000;

    public Habits upTo(int longest) {
        return new Habits(writers, keys, putsAlone, timesToLive, longest, pauseMillis, tries);
    }

    public Habits forEver() {
        return new Habits(writers, keys, putsAlone, false, longestValue, pauseMillis, tries);
    }
}
