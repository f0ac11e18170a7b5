package kvant.move.mirror;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// State and figures of a mirror, for a person.
///
/// @param state in one word
/// @param target what is being kept the same
/// @param comparedRecords keys that the current or last pass has compared
/// @param comparedBytes of their keys and values in the source
/// @param estimatedRecords about how many there are, 0 where that is not known
/// @param copiedRecords written to the target by copying, since the start
/// @param deletedRecords deleted there because the source does not have them, since the start
/// @param repairKeys keys in which the target may differ
/// @param failures writes that the target failed or did not answer in time, since the start
/// @param reason what holds it up; empty for nothing
public record MirrorStatus(
        State state,
        String target,
        long comparedRecords,
        long comparedBytes,
        long estimatedRecords,
        long copiedRecords,
        long deletedRecords,
        int repairKeys,
        long failures,
        String reason) {

    /// State of a mirror.
    public enum State {
        /// The target is not being kept the same: copying has not begun, or begins again.
        BEHIND,
        /// A pass over all records; new writes go to both.
        COPYING,
        /// All is copied, but the target lacks some writes.
        REPAIRING,
        /// Every acknowledged write is in both.
        CAUGHT_UP,
        /// Cannot go on without an operator.
        BLOCKED,
        /// The target serves; the source gets nothing any more.
        SWITCHED;

        /// As metrics and commands show it.
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private static final int HUNDRED = 100;

    MirrorStatus with(State newState) {
        return new MirrorStatus(
                newState,
                target,
                comparedRecords,
                comparedBytes,
                estimatedRecords,
                copiedRecords,
                deletedRecords,
                repairKeys,
                failures,
                reason);
    }

    /// One line.
    public String text() {
        StringBuilder text = new StringBuilder(state.word());
        switch (state) {
            case COPYING -> text.append(", ").append(progress());
            case REPAIRING -> text.append(", ").append(repairKeys).append(" keys wait for the target");
            case BEHIND, BLOCKED, CAUGHT_UP, SWITCHED -> {}
        }
        if (!reason.isEmpty() && state != State.CAUGHT_UP && state != State.SWITCHED) {
            text.append(": ").append(reason);
        }
        return text.append(" (target ").append(target).append(')').toString();
    }

    /// One line for each figure.
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("state     " + state.word());
        lines.add("target    " + target);
        lines.add("compared  " + progress());
        lines.add("copied    " + copiedRecords + " records, " + deletedRecords + " deleted");
        lines.add("repair    " + repairKeys + " keys wait for the target");
        lines.add("failures  " + failures + " writes that the target failed or did not answer in time");
        if (!reason.isEmpty()) {
            lines.add("last      " + reason);
        }
        return lines;
    }

    private String progress() {
        String done = comparedRecords + " keys, " + comparedBytes + " bytes";
        if (estimatedRecords == 0 || state != State.COPYING) {
            return done;
        }
        return Math.min(HUNDRED - 1, HUNDRED * comparedRecords / estimatedRecords) + " % of about " + estimatedRecords
                + " keys (" + done + ")";
    }
}
