package kvant.lab.result;

import java.util.Locale;

/// A stage of a request in a node, in the order in which a request goes through them. Results, questions and events of
/// the node all have its name.
public enum Stage {
    READ,
    QUEUE,
    ENGINE,
    DELIVER,
    WRITE;

    /// As results call it.
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// As questions call its mean time.
    public String metric() {
        return "stage." + label();
    }
}
