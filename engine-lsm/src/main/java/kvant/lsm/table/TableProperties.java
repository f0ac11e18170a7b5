package kvant.lsm.table;

import java.lang.foreign.MemorySegment;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.ByteWriter;
import kvant.lsm.record.Tag;

/// The properties block of a table.
///
/// Format document: docs/formats/table.md
///
/// @param records all of them
/// @param deletions how many of them are deletions
/// @param keyBytes of all keys, before prefix compression
/// @param valueBytes of all stored values
/// @param firstSequence the smallest sequence number
/// @param lastSequence the largest
/// @param expiringBytes of the keys and values of records that expire
/// @param medianExpiryMillis about when half of these will have expired, since the epoch; 0 where there are none
/// @param smallestKey of the first record
/// @param largestKey of the last record
public record TableProperties(
        long records,
        long deletions,
        long keyBytes,
        long valueBytes,
        long firstSequence,
        long lastSequence,
        long expiringBytes,
        long medianExpiryMillis,
        byte[] smallestKey,
        byte[] largestKey) {

    /// Counts the records of a table, in the order of their keys. Belongs to one thread.
    static final class Counter {

        private final ExpirySample expiries = new ExpirySample();
        private byte[] smallestKey = new byte[0];
        private long records;
        private long deletions;
        private long keyBytes;
        private long valueBytes;
        private long firstSequence = Long.MAX_VALUE;
        private long lastSequence;

        long records() {
            return records;
        }

        /// The first record has this key.
        void begin(byte[] key) {
            smallestKey = key;
        }

        void add(long tag, int keyLength, int valueLength) {
            records++;
            deletions += Tag.kind(tag) == Tag.DELETE ? 1 : 0;
            keyBytes += keyLength;
            valueBytes += valueLength;
            firstSequence = Math.min(firstSequence, Tag.sequence(tag));
            lastSequence = Math.max(lastSequence, Tag.sequence(tag));
        }

        /// A record that was added expires.
        void expires(long atMillis, int keyLength, int valueLength) {
            expiries.add(atMillis, (long) keyLength + valueLength);
        }

        TableProperties properties(byte[] largestKey) {
            return new TableProperties(
                    records,
                    deletions,
                    keyBytes,
                    valueBytes,
                    firstSequence,
                    lastSequence,
                    expiries.bytes(),
                    expiries.medianMillis(),
                    smallestKey,
                    largestKey);
        }
    }

    void encode(ByteWriter out) {
        out.putVarint(records);
        out.putVarint(deletions);
        out.putVarint(keyBytes);
        out.putVarint(valueBytes);
        out.putVarint(firstSequence);
        out.putVarint(lastSequence);
        out.putVarint(expiringBytes);
        out.putVarint(medianExpiryMillis);
        out.putVarint(smallestKey.length);
        out.putBytes(smallestKey);
        out.putVarint(largestKey.length);
        out.putBytes(largestKey);
    }

    /// Reads what [#encode] wrote; the checksum has been checked.
    static TableProperties decode(MemorySegment content) {
        ByteReader in = new ByteReader(content);
        return new TableProperties(
                in.getVarint(),
                in.getVarint(),
                in.getVarint(),
                in.getVarint(),
                in.getVarint(),
                in.getVarint(),
                in.getVarint(),
                in.getVarint(),
                in.getSized(),
                in.getSized());
    }
}
