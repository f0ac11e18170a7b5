package kvant.lsm.value;

import java.util.Set;

/// What becomes of the values of records that are written to tables.
///
/// @param options which are kept out of tables
/// @param source has those that are to be moved
/// @param relocated numbers of value files that values are moved out of
public record ValuePlan(ValueOptions options, ValueFiles source, Set<Long> relocated) {

    /// All values stay where they are.
    public static final ValuePlan NONE =
            new ValuePlan(ValueOptions.DEFAULT.from(ValueOptions.NEVER), new ValueFiles(), Set.of());

    public ValuePlan {
        relocated = Set.copyOf(relocated);
    }
}
