package kvant.lab.experiment;

import java.util.Arrays;
import java.util.Locale;

/// How large the loads of an experiment are.
public enum Scale {
    /// As the file says, which for published tests is as they were published.
    FULL,
    /// All that the questions need, so that all shipped experiments take about an hour.
    SHORT,
    /// A few minutes on a laptop.
    QUICK,
    /// What its questions ask of and nothing else, in steps as short as their figures allow; run until decided.
    DECIDE;

    /// The key of its block in a file, and its option.
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// @throws IllegalArgumentException with a line for a person
    static Scale parse(String text) {
        return Arrays.stream(values())
                .filter(one -> one.key().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not full, short, quick or decide"));
    }
}
