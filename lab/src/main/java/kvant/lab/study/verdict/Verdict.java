package kvant.lab.study.verdict;

import java.util.List;
import kvant.lab.study.words.Phrase;
import org.jspecify.annotations.Nullable;

/// What may be said about B beside A.
///
/// @param estimate null where nothing could be computed
/// @param headline one sentence
/// @param details what it rests on
/// @param caveats what stands against it
public record Verdict(
        String phase,
        String metric,
        String a,
        String b,
        Outcome outcome,
        @Nullable Estimate estimate,
        Phrase headline,
        List<Phrase> details,
        List<Phrase> caveats) {

    /// Of B.
    public enum Outcome {
        BETTER,
        WORSE,
        /// Faster, and more requests failed.
        MIXED,
        NO_DIFFERENCE,
        /// There is too little, or nothing, to judge by.
        UNKNOWN
    }
}
