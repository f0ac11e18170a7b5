package kvant.lab.experiment;

import java.util.Arrays;
import java.util.Locale;

/// The size of an experiment's loads.
public enum Scale {
    /// As in the file; published tests have their published size.
    FULL,
    /// Sufficient for the questions; all shipped experiments take about an hour.
    SHORT,
    /// A few minutes on a laptop.
    QUICK,
    /// Only the loads of the questions, in the shortest steps that their figures allow; run until decided.
    DECIDE;

    /// The key of its block in a file, and of its option.
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// @throws IllegalArgumentException with a readable one-line reason
    static Scale parse(String text) {
        return Arrays.stream(values())
                .filter(one -> one.key().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not full, short, quick or decide"));
    }
}
