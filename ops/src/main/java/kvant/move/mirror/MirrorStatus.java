package kvant.move.mirror;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// State and figures of a mirror, in readable form.
///
/// @param state of the mirror
/// @param target name of the target
/// @param comparedRecords keys compared by the current or last pass
/// @param comparedBytes of their keys and values in the source
/// @param estimatedRecords approximate number of records, 0 if unknown
/// @param copiedRecords written to the target by copying, since the start
/// @param deletedRecords deleted from the target because the source does not have them, since the start
/// @param repairKeys keys in which the target may differ
/// @param failures writes that the target failed or did not answer in time, since the start
/// @param reason for a delay; empty if there is none
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
        /// The target is not being updated: copying has not started, or starts again.
        BEHIND,
        /// A pass over all records is running; new writes go to both engines.
        COPYING,
        /// All records are copied, but the target lacks some writes.
        REPAIRING,
        /// Every acknowledged write is in both engines.
        CAUGHT_UP,
        /// Cannot continue without an operator.
        BLOCKED,
        /// The target serves; the source no longer receives writes.
        SWITCHED;

        /// The name in metrics and commands.
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private static final int HUNDRED = 100;

    /// A one-line summary.
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
