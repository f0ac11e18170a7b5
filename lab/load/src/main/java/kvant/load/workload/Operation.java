package kvant.load.workload;

/// What one request does.
public enum Operation {
    GET,
    PUT,
    DELETE,
    SCAN,
    /// A get, and when it is answered a put of the same key: the read-modify-write of YCSB F.
    RMW,
    /// The request of the URL as it is.
    PLAIN;

    private static final Operation[] ALL = values();

    /// How many there are.
    public static final int COUNT = ALL.length;

    public static Operation of(int ordinal) {
        return ALL[ordinal];
    }
}
