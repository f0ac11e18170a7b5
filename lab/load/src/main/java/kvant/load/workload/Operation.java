package kvant.load.workload;

/// The operation of a request.
public enum Operation {
    GET,
    PUT,
    DELETE,
    SCAN,
    /// A get, followed by a put of the same key after the answer: the read-modify-write of YCSB F.
    RMW,
    /// The unmodified request of the URL.
    PLAIN;

    private static final Operation[] ALL = values();

    /// Number of values.
    public static final int COUNT = ALL.length;

    public static Operation of(int ordinal) {
        return ALL[ordinal];
    }
}
