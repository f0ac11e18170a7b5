package kvant.lab.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What was asked, and what others published on it.
///
/// @param source where the experiment was published, null where it was not
/// @param untilDecided null where the number of rounds was fixed beforehand
/// @param disturbedAbove share of the processors that something outside may take before a block is left out; NaN where
///     there was no such rule, as in old files
/// @param again how often a step in which it took more was measured once more, at most
/// @param interleavedNanos how long a variant was measured in each turn of a round; 0 where rounds were not interleaved
/// @param scale `full`, `short` or `quick`; empty where it is not known
public record ExperimentRecord(
        String letter,
        String name,
        String title,
        String titleRu,
        String description,
        String descriptionRu,
        @Nullable Source source,
        String scale,
        int repeats,
        List<Question> questions,
        @Nullable Objective objective,
        List<Published> published,
        @Nullable UntilDecided untilDecided,
        double disturbedAbove,
        int again,
        long interleavedNanos) {

    /// @param compare names of variants; the first is what the others are compared with
    /// @param phase empty for each phase
    /// @param margin a difference that matters, as a share; NaN or 0 where it is the usual one
    public record Question(
            String id, String text, String textRu, List<String> compare, String phase, String metric, double margin) {

        /// What matters where nobody says otherwise.
        public static final double USUAL_MARGIN = 0.1;

        public double marginOrUsual() {
            return margin > 0 ? margin : USUAL_MARGIN;
        }
    }

    /// Rounds went on until each question had its answer.
    ///
    /// @param atMostNanos how long they might take
    /// @param looks at the answers, in their order
    public record UntilDecided(long atMostNanos, List<Look> looks) {

        public UntilDecided(long atMostNanos) {
            this(atMostNanos, List.of());
        }

        /// Share of the time that was spent at the last look.
        public double spent() {
            return looks.isEmpty() ? 0 : looks.getLast().spent();
        }

        /// With another look; one at the same round takes its place.
        public UntilDecided with(Look look) {
            List<Look> all = new ArrayList<>(looks);
            all.removeIf(one -> one.repeat() == look.repeat());
            all.add(look);
            return new UntilDecided(atMostNanos, List.copyOf(all));
        }
    }

    /// A look at the answers while the run went on.
    ///
    /// @param repeat the last round that was there
    /// @param spent share of the time that the run might take; 1 at the last look of one whose time was spent
    public record Look(int repeat, double spent) {}

    /// A published report.
    ///
    /// @param course in which it was written
    /// @param stage of the course
    /// @param links where it can be found
    public record Source(
            String title,
            String titleRu,
            String course,
            String year,
            String stage,
            String stageRu,
            List<String> links) {}

    /// A limit on one percentile.
    public record Objective(double percentile, double nanos) {}

    /// Somebody else's figures.
    ///
    /// @param percentiles milliseconds by percentile; 100 is the maximum
    public record Published(
            String variant, String phase, Map<Double, Double> percentiles, String note, String noteRu) {}
}
