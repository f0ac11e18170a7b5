package kvant.client;

/// A precondition of a write. If it does not hold, the write changes nothing and fails with
/// [KvantException.ConditionFailed].
public final class Condition {

    private static final Condition NONE = new Condition("", "");
    private static final Condition ABSENT = new Condition("If-None-Match", "*");
    private static final Condition PRESENT = new Condition("If-Match", "*");

    private final String header;
    private final String value;

    private Condition(String header, String value) {
        this.header = header;
        this.value = value;
    }

    /// No condition: the write is applied in any case.
    public static Condition none() {
        return NONE;
    }

    /// Requires that the key has no value.
    public static Condition absent() {
        return ABSENT;
    }

    /// Requires that the key has a value.
    public static Condition present() {
        return PRESENT;
    }

    /// Requires that the key has the value of this write.
    public static Condition versionIs(Version version) {
        return new Condition("If-Match", version.tag());
    }

    boolean isNone() {
        return header.isEmpty();
    }

    String header() {
        return header;
    }

    String value() {
        return value;
    }

    @Override
    public String toString() {
        return isNone() ? "no condition" : header + ": " + value;
    }
}
