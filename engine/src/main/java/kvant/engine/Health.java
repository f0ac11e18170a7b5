package kvant.engine;

import java.util.List;

/// The ability of an engine to serve.
///
/// @param checks one for each part that was checked
public record Health(List<Check> checks) {

    /// The check of one part.
    ///
    /// @param name stable name, such as `reads` or `writes`
    /// @param ok whether it works
    /// @param detail for a person: the fault and its remedy, or the normal state
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
