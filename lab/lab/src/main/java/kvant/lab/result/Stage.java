package kvant.lab.result;

import java.util.Locale;

/// A stage of a request in a node, in processing order. Its name is the same in results, questions and events of the
/// node.
public enum Stage {
    READ,
    QUEUE,
    ENGINE,
    DELIVER,
    WRITE;

    /// The name in results.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The name of its mean time in questions.
    public String metric() {
        return "stage." + label();
    }
}
