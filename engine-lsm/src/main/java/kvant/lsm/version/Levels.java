package kvant.lsm.version;

/// The level of a run.
///
/// A larger run number is newer. The numbers 1 to 6 are reserved for the levels 6 to 1, each of which is one run for
/// as long as it holds anything; every other number is a run of level 0, as flushes write them. So a store that was
/// merged by size is one with runs of level 0, and each of the two pickers can continue the other's work.
public final class Levels {

    /// The deepest level; there are levels 0 to this one.
    public static final int LAST = 6;

    private Levels() {}

    public static int levelOf(long run) {
        return run > LAST ? 0 : (int) (LAST + 1 - run);
    }

    /// The number of a run that is newer than all others.
    ///
    /// @param fileNumber a new one
    public static long newestRun(long fileNumber) {
        return fileNumber + LAST;
    }

    /// @param level from 1 on
    public static long runOf(int level) {
        if (level < 1 || level > LAST) {
            throw new IllegalArgumentException("level " + level + " is not one run with a number of its own");
        }
        return LAST + 1 - level;
    }
}
