package kvant.lsm.record;

/// The tag of a version of a key: its sequence number and the kind of its write, packed into one long.
///
///     63 ............ 8 | 7 ... 0
///       sequence (56)   | kind
///
/// A larger tag is a newer version. Sequence numbers count mutations from 1 and never repeat within a store; they are
/// the versions that the engine's callers see.
public final class Tag {

    /// The key was removed.
    public static final int DELETE = 0;
    /// The key got a value that stays.
    public static final int PUT = 1;
    /// The key got a value with an expiry: the stored value is eight bytes of it, then the value.
    public static final int PUT_EXPIRING = 2;
    /// As [#PUT], but the value lies in a value file: the stored value is a [ValuePointer]. In tables only.
    public static final int PUT_SEPARATED = 3;
    /// As [#PUT_SEPARATED] with an expiry: the stored value is eight bytes of it, then the pointer.
    public static final int PUT_SEPARATED_EXPIRING = 4;

    /// Bytes of the expiry that an expiring value begins with: milliseconds since the epoch, little-endian.
    public static final int EXPIRY_BYTES = Long.BYTES;

    /// Above every tag: looking for it finds the newest version.
    public static final long NEWEST = Long.MAX_VALUE;

    private static final int KIND_BITS = 8;

    private Tag() {}

    public static long of(long sequence, int kind) {
        return sequence << KIND_BITS | kind;
    }

    public static long sequence(long tag) {
        return tag >>> KIND_BITS;
    }

    public static int kind(long tag) {
        return (int) tag & 0xFF;
    }

    /// Whether its value lies in a value file.
    public static boolean isSeparated(long tag) {
        return kind(tag) == PUT_SEPARATED || kind(tag) == PUT_SEPARATED_EXPIRING;
    }

    /// Whether the stored bytes begin with an expiry.
    public static boolean hasExpiry(long tag) {
        return kind(tag) == PUT_EXPIRING || kind(tag) == PUT_SEPARATED_EXPIRING;
    }

    /// Whether it is a put whose value is stored in the record itself.
    public static boolean isInline(long tag) {
        return kind(tag) == PUT || kind(tag) == PUT_EXPIRING;
    }

    /// The tag of the same write when its value lies in a value file.
    public static long separated(long tag) {
        return of(sequence(tag), hasExpiry(tag) ? PUT_SEPARATED_EXPIRING : PUT_SEPARATED);
    }

    /// The tag of the same write when its value is stored in its record.
    public static long inline(long tag) {
        return of(sequence(tag), hasExpiry(tag) ? PUT_EXPIRING : PUT);
    }

    /// The largest tag that a write of this sequence number could have: the bound of a snapshot.
    public static long upTo(long sequence) {
        return of(sequence, 0xFF);
    }
}
