package kvant.lsm.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import kvant.engine.Lookup;
import kvant.engine.Samples;
import kvant.lsm.record.Reading;
import kvant.lsm.record.RecordCursor;
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

    private static byte[] key(int number) {
        return Samples.bytes("a-key-of-some-length-%08d".formatted(number));
    }
}
