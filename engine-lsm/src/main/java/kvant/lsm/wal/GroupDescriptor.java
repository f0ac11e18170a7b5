package kvant.lsm.wal;

import kvant.engine.Mutation;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.record.Tag;

/// Layout of a commit group in the log: its mutations one after the other. The first has the record's
/// sequence number, each further one the next.
///
/// Format document: docs/formats/wal.md
///
///     mutation = kind (1) key-length (varint) key [expiry (8)] [value-length (varint) value]
public final class GroupDescriptor {

    /// Receives the mutations of a group, in order.
    @FunctionalInterface
    public interface Visitor<E extends Exception> {

        /// @param valueAt where the value is in the payload, of which a large one may be as long as half of the heap
        /// @param valueLength 0 for a deletion
        void mutation(long sequence, int kind, byte[] key, long valueAt, int valueLength, long expiresAtMillis)
                throws E;
    }

    private GroupDescriptor() {}

    public static int kindOf(Mutation mutation) {
        return switch (mutation) {
            case Mutation.Delete _ -> Tag.DELETE;
            case Mutation.Put put -> put.expiresAtMillis() == Mutation.Put.NEVER ? Tag.PUT : Tag.PUT_EXPIRING;
        };
    }

    public static void encode(Mutation mutation, Payload payload) {
        payload.out().putByte(kindOf(mutation));
        payload.out().putVarint(mutation.key().length);
        payload.putArray(mutation.key());
        if (mutation instanceof Mutation.Put put) {
            if (put.expiresAtMillis() != Mutation.Put.NEVER) {
                payload.out().putLong(put.expiresAtMillis());
            }
            payload.out().putVarint(put.value().length);
            payload.putArray(put.value());
        }
    }

    /// Visits the mutations of the reader's current record.
    ///
    /// @param in its payload, from which the visitor may take values
    /// @return the sequence number of the last one
    public static <E extends Exception> long decode(RecordReader record, ByteReader in, Visitor<E> visitor) throws E {
        long sequence = record.firstSequence() - 1;
        try {
            while (in.hasRemaining()) {
                sequence++;
                decodeOne(in, sequence, visitor);
            }
        } catch (IndexOutOfBoundsException e) {
            throw record.undecodable(e);
        }
        return sequence;
    }

    /// Visits the next mutation of a group.
    ///
    /// @throws IndexOutOfBoundsException where none can be decoded
    public static <E extends Exception> void decodeOne(ByteReader in, long sequence, Visitor<E> visitor) throws E {
        int kind = in.getByte();
        byte[] key = in.getSized();
        if (kind > Tag.PUT_EXPIRING || key.length == 0) {
            throw new IndexOutOfBoundsException("unknown kind of mutation " + kind + ", or an empty key");
        }
        long expiresAtMillis = kind == Tag.PUT_EXPIRING ? in.getLong() : Mutation.Put.NEVER;
        long valueLength = kind == Tag.DELETE ? 0 : in.getVarint();
        long valueAt = in.position();
        in.skip(valueLength);
        visitor.mutation(sequence, kind, key, valueAt, (int) valueLength, expiresAtMillis);
    }
}
