package kvant.bench.simulation;

import java.nio.ByteBuffer;
import kvant.lsm.version.Shape.TableShape;

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
                0);
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

    static byte[] keyBytes(int record) {
        return bytes(key(record));
    }

    private static byte[] bytes(int key) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(key).array();
    }
}
