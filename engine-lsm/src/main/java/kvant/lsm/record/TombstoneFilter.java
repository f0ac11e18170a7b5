package kvant.lsm.record;

/// Tells whether an older record of a key may exist outside of a merge's inputs. Called for ascending keys only, so
/// that a call costs about one comparison.
@FunctionalInterface
public interface TombstoneFilter {

    /// Not known: assume that there is one.
    TombstoneFilter UNKNOWN = (_, _, _) -> true;

    /// There are no older records.
    TombstoneFilter NOTHING = (_, _, _) -> false;

    /// @return false only when there is certainly none
    boolean mayHold(byte[] key, int offset, int length);
}
