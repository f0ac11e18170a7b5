package kvant.bench.simulation;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import kvant.lsm.version.Shape.TableShape;
import org.jspecify.annotations.Nullable;

/// A simulated table: its keys, ascending.
///
/// @param records a key twice, plus one where the record deletes it
record SimulatedTable(long number, int[] records, TableShape shape) {

    static SimulatedTable of(long number, int[] records, long recordBytes) {
        int deletions = 0;
        for (int each : records) {
            deletions += each & 1;
        }
        TableShape shape = new TableShape(
                number,
                bytes(key(records[0])),
                bytes(key(records[records.length - 1])),
                records.length * recordBytes,
                records.length,
                deletions,
                0,
                0,
                List.of());
        return new SimulatedTable(number, records, shape);
    }

    static int put(int key) {
        return key << 1;
    }

    static int deletion(int key) {
        return key << 1 | 1;
    }

    static int key(int record) {
        return record >>> 1;
    }

    static boolean isDeletion(int record) {
        return (record & 1) == 1;
    }

    int smallest() {
        return key(records[0]);
    }

    int largest() {
        return key(records[records.length - 1]);
    }

    /// The record of a key; null where there is none.
    @Nullable
    Integer find(int key) {
        int place = Arrays.binarySearch(records, put(key));
        int next = place >= 0 ? place : -place - 1;
        return next < records.length && key(records[next]) == key ? records[next] : null;
    }

    static byte[] keyBytes(int record) {
        return bytes(key(record));
    }

    private static byte[] bytes(int key) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(key).array();
    }
}
