package kvant.lsm.record;

/// Knows whether an older record of a key may lie in what is not being merged. Asked for ascending keys only, so that
/// an answer costs about one comparison.
@FunctionalInterface
public interface Beneath {

    /// Nobody looked: assume that there is one.
    Beneath UNKNOWN = (_, _, _) -> true;

    /// There is nothing older at all.
    Beneath NOTHING = (_, _, _) -> false;

    /// @return false only when there is certainly none
    boolean mayHold(byte[] key, int offset, int length);
}
