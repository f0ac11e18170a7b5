package kvant.lsm.memtable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.InstantSource;
import kvant.engine.Lookup;
import kvant.engine.Samples;
import kvant.lsm.record.Reading;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.record.Retired;
import kvant.lsm.record.Tag;
import org.junit.jupiter.api.Test;

class ArenaMemtableTest extends MemtableContract {

    @Override
    protected Memtable create(long expectedBytes) {
        return new ArenaMemtable(expectedBytes);
    }

    @Test
    void theHashIndexIsCountedAndSmallBesideWhatIsExpected() {
        long more = new ArenaMemtable(64 << 20).bytes() - new ArenaMemtable(16 << 20).bytes();
        assertThat(more).isBetween(1L << 20, (64L << 20) / 32);
    }

    /// G1 never copies an array that fills a region, and gives a larger one a second region.
    @Test
    void theArraysOfALargeMemtableFillOneRegionOfTheCollectorEach() {
        assertThat(SlabSize.of(16 << 20).bytes()).isEqualTo((1 << 20) - 16);
        assertThat(SlabSize.of(16 << 20).longs()).isEqualTo((1 << 20) / 8 - 2);
        assertThat(SlabSize.of((16 << 20) - 1).bytes()).isEqualTo(128 << 10);
    }

    /// Otherwise each write would be followed by a flush.
    @Test
    void aSmallMemtableTakesManyRecordsBeforeItIsFull() {
        for (int memtableBytes = 64 << 10; memtableBytes <= 64 << 20; memtableBytes *= 2) {
            Memtable memtable = create(memtableBytes);
            int records = 0;
            while (memtable.bytes() < memtableBytes) {
                memtable.add(++records, Tag.PUT, key(records), new byte[100], 0);
            }
            assertThat(records).as("in %d bytes", memtableBytes).isGreaterThan(memtableBytes / 400);
        }
    }

    @Test
    void nodesAndDataOfALargeMemtableAreFoundInAllOfItsArrays() {
        Memtable memtable = create(32 << 20);
        int records = 60_000;
        for (int i = 0; i < records; i++) {
            memtable.add(i + 1, Tag.PUT, key(i * 7919 % records), key(i), 0);
        }
        assertThat(memtable.bytes()).isGreaterThan(6 << 20);
        RecordCursor cursor = memtable.cursor();
        boolean on = cursor.seek(new byte[0]);
        for (int i = 0; i < records; i++) {
            assertThat(on).isTrue();
            assertThat(cursor.key()).isEqualTo(key(i));
            assertThat(memtable.find(key(i), Tag.NEWEST, Reading.by(InstantSource.system())))
                    .isInstanceOf(Lookup.Found.class);
            on = cursor.next();
        }
        assertThat(on).isFalse();
    }

    /// Small values, large ones that are referred to, and keys that are not there.
    @Test
    void whoLooksIntoAMemtableThatNobodyHoldsIsToldSo() {
        Memtable memtable = create(1 << 20);
        memtable.add(1, Tag.PUT, key(1), key(1), 0);
        memtable.add(2, Tag.PUT, key(2), new byte[DataSlabs.LARGE_VALUE_BYTES], 0);
        assertThat(memtable.acquire()).isTrue();
        memtable.release();
        RecordCursor cursor = memtable.cursor();
        assertThat(cursor.seek(key(2))).as("held by the first one").isTrue();
        assertThat(cursor.storedValue()).hasSize(DataSlabs.LARGE_VALUE_BYTES);

        memtable.release();

        for (int key = 1; key <= 3; key++) {
            byte[] sought = key(key);
            assertThatThrownBy(() -> memtable.find(sought, Tag.NEWEST, Reading.by(InstantSource.system())))
                    .isInstanceOf(Retired.class);
        }
        assertThat(memtable.acquire()).isFalse();
        assertThat(memtable.lastSequence()).isEqualTo(2);
    }

    /// A look-up that is under way has the index, and finds no node; or has the node, and finds no data.
    @Test
    void eachArrayIsLetGoOf() {
        DataSlabs data = new DataSlabs(SlabSize.TINY, 1);
        long place = data.store(key(1), key(1));
        long large = data.store(key(2), new byte[DataSlabs.LARGE_VALUE_BYTES]);
        WeakReference<byte[]> slab = new WeakReference<>(data.keyArray(place));
        data.drop();
        NodeChunks nodes = new NodeChunks(4, SlabSize.TINY, 1);
        int node = nodes.allocate(2);
        nodes.drop();

        assertThatThrownBy(() -> data.keyArray(place)).isInstanceOf(Retired.class);
        assertThatThrownBy(() -> data.valueArray(large, key(2).length, DataSlabs.LARGE_VALUE_BYTES))
                .isInstanceOf(Retired.class);
        assertThatThrownBy(() -> nodes.field(node, 0)).isInstanceOf(Retired.class);
        assertThatThrownBy(() -> nodes.next(node, 0)).isInstanceOf(Retired.class);
        await().atMost(Duration.ofNanos(Samples.timeoutNanos())).until(() -> {
            System.gc();
            return slab.refersTo(null);
        });
        assertThat(data.bytes()).isPositive();
    }

    private static byte[] key(int number) {
        return Samples.bytes("a-key-of-some-length-%08d".formatted(number));
    }
}
