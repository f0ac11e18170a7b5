package kvant.lsm.compaction;

/// The urgency of merging, from none while nothing waits to the highest, long before writes are slowed down for it.
///
/// @param fullRuns runs of level 0 from which merges give way to nothing
/// @param fullDebtBytes bytes waiting to be merged with the same effect
public record MergeUrgency(int fullRuns, long fullDebtBytes) {

    public MergeUrgency {
        if (fullRuns < 1 || fullDebtBytes < 1) {
            throw new IllegalArgumentException("merging is urgent from 1 run and 1 byte on, or later");
        }
    }

    /// At half of what slows writes down.
    public static MergeUrgency before(int slowRuns, long slowDebtBytes) {
        return new MergeUrgency(Math.max(1, slowRuns / 2), Math.max(1, slowDebtBytes / 2));
    }

    /// @return from 0 to 1
    public double of(int levelZeroRuns, long debtBytes) {
        double urgency = Math.max((double) levelZeroRuns / fullRuns, (double) debtBytes / fullDebtBytes);
        return Math.clamp(urgency, 0, 1);
    }
}
