package kvant.engine;

import java.util.List;

/// What an engine can do now.
///
/// @param checks one line for each thing that was looked at
public record Health(List<Check> checks) {

    /// One thing that was looked at.
    ///
    /// @param name stable name, such as `reads` or `writes`
    /// @param ok whether it works
    /// @param detail for a person: what is wrong and what to do, or what is fine
    public record Check(String name, boolean ok, String detail) {}

    public static final String READS = "reads";
    public static final String WRITES = "writes";

    public Health {
        checks = List.copyOf(checks);
    }

    public boolean ready() {
        return checks.stream().allMatch(Check::ok);
    }
}
