package kvant.lsm.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import kvant.engine.EngineException;
import kvant.engine.Lookup;
import kvant.engine.Samples;
import kvant.lsm.Seeds;
import kvant.lsm.bytes.ByteReader;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.ListCursor;
import kvant.lsm.record.ListCursor.Entry;
import kvant.lsm.record.Reading;
import kvant.lsm.record.RecordCursor;
import kvant.lsm.storage.HeapStorage;
import org.junit.jupiter.api.Test;

/// A table whose index and filter do not fit into the cache.
class PartitionedTableTest {

    private static final int RECORDS = 20_000;
    private static final int BLOCK_BYTES = 256;
    private static final int SMALL_CACHE_BYTES = 32 << 10;
    private static final long SEED = Seeds.seed(79);
    private static final Reading READING = Reading.by(InstantSource.system());

    private final HeapStorage storage = new HeapStorage();
    private final List<Entry> entries = entries();

    @Test
    void aPartitionIsReadOnceWhileItIsKept() throws IOException {
        long bytes = write();
        int partitions =
                TableSamples.partitions(storage.bytes(TableSamples.FILE)).size();
        assertThat(partitions).isGreaterThan(100);
        try (TableContext context = new TableContext(64 << 20);
                Table table = open(bytes, context)) {
            assertThat(context.partitionLoads()).as("nothing is read at open").isZero();
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < RECORDS; i++) {
                    assertThat(value(table, i)).isEqualTo(i);
                    assertThat(find(table, key(i) + "x")).isNull();
                }
                assertThat(context.partitionLoads()).isEqualTo(partitions);
            }
        }
    }

    @Test
    void scansAndMergesReadPartitionsInPassing() throws IOException {
        long bytes = write();
        try (TableContext context = new TableContext(64 << 20);
                Table table = open(bytes, context)) {
            assertThat(ListCursor.drain(table.cursor(), new byte[0])).hasSize(RECORDS);
            assertThat(context.partitionLoads()).as("the one where it begins").isLessThanOrEqualTo(1);
        }
    }

    /// With one block less in its index, a partition leads to all that it still names: nothing else would tell a scan
    /// that keys are missing. The first one is looked up and checked by the seek, the others are met in passing.
    @Test
    void aScanRefusesADamagedPartitionThatItComesTo() throws IOException {
        long bytes = write();
        byte[] file = storage.bytes(TableSamples.FILE);
        BlockHandle second = TableSamples.partitions(file).get(1);
        MemorySegment partition = MemorySegment.ofArray(file).asSlice(second.offset(), second.length());
        MemorySegment index = PartitionDescriptor.index(partition);
        index.set(ByteReader.INT, 0, IndexDescriptor.count(index) - 1);
        storage.put(TableSamples.FILE, file);
        try (TableContext context = new TableContext(64 << 20);
                Table table = open(bytes, context)) {
            for (int round = 0; round < 2; round++) {
                assertThatThrownBy(() -> ListCursor.drain(table.cursor(), new byte[0]))
                        .isInstanceOf(EngineException.Corruption.class)
                        .hasMessageContaining(TableSamples.FILE)
                        .hasMessageContaining("the checksum of a block does not match");
            }
        }
    }

    /// Gets and scans have found everything right before.
    @Test
    void aMergeRefusesWhatHasChangedSinceItWasChecked() throws IOException {
        long bytes = write();
        byte[] file = storage.bytes(TableSamples.FILE);
        MemorySegment whole = MemorySegment.ofArray(file);
        BlockHandle partitions =
                TableDescriptor.decodeFooter(whole, TableSamples.FILE).index();
        BlockHandle second = TableSamples.partitions(file).get(1);
        MemorySegment index = PartitionDescriptor.index(whole.asSlice(second.offset(), second.length()));
        long inBlock = 8 * (TableSamples.blocks(file).get(100).offset() + 20);
        try (TableContext context = new TableContext(64 << 20);
                Table table = open(bytes, context)) {
            for (int i = 0; i < RECORDS; i++) {
                assertThat(value(table, i)).isEqualTo(i);
            }
            assertThat(ListCursor.drain(table.cursor(), new byte[0])).hasSize(RECORDS);
            for (long bit :
                    new long[] {bitOfCount(file, partitions.offset()), bitOfCount(file, index.address()), inBlock}) {
                storage.flipBit(TableSamples.FILE, bit);
                assertThatThrownBy(() -> ListCursor.drain(table.checkingCursor(), new byte[0]))
                        .as("bit %d", bit)
                        .isInstanceOf(EngineException.Corruption.class)
                        .hasMessageContaining("the checksum of a block does not match");
                if (bit != bitOfCount(file, partitions.offset())) { // which is checked by merges alone
                    assertThatThrownBy(() -> ListCursor.drain(table.cursor(), new byte[0]))
                            .as("scans trust it no more, bit %d", bit)
                            .isInstanceOf(EngineException.Corruption.class)
                            .hasMessageContaining("the checksum of a block does not match");
                }
                storage.flipBit(TableSamples.FILE, bit);
            }
            assertThat(ListCursor.drain(table.cursor(), new byte[0])).hasSize(RECORDS);
            assertThat(ListCursor.drain(table.checkingCursor(), new byte[0])).hasSize(RECORDS);
        }
    }

    /// One that makes the number of an index's entries smaller, so that it leads to nothing that is not there.
    private static long bitOfCount(byte[] file, long index) {
        int count = MemorySegment.ofArray(file).get(ByteReader.INT, index);
        return 8 * index + Integer.numberOfTrailingZeros(count);
    }

    @Test
    void everyKeyIsFoundWhileThreadsEvictWhatOthersRead() throws Exception {
        long bytes = write();
        try (TableContext context = new TableContext(SMALL_CACHE_BYTES);
                Table table = open(bytes, context)) {
            List<Future<?>> done = new ArrayList<>();
            try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
                for (int thread = 0; thread < 4; thread++) {
                    Random random = new Random(SEED + thread);
                    done.add(threads.submit(() -> read(table, random)));
                }
                for (Future<?> each : done) {
                    each.get();
                }
            }
            assertThat(context.partitionLoads()).as("evictions").isGreaterThan(1_000);
        }
    }

    @Test
    void aTableOutlivesTheCache() throws IOException {
        long bytes = write();
        TableContext context = new TableContext(64 << 20);
        try (Table table = open(bytes, context)) {
            assertThat(value(table, 7)).isEqualTo(7);
            context.close(); // the engine has ended, and a scan continues
            assertThat(value(table, 7)).isEqualTo(7);
            assertThat(table.cursor().seek(Samples.bytes(key(9)))).isTrue();
        }
    }

    private static void read(Table table, Random random) {
        for (int i = 0; i < 20_000; i++) {
            int number = random.nextInt(RECORDS);
            assertThat(value(table, number)).isEqualTo(number);
            assertThat(find(table, key(number) + "x")).isNull();
            if (i % 50 == 0) {
                RecordCursor cursor = table.cursor();
                assertThat(cursor.seek(Samples.bytes(key(number)))).isTrue();
                assertThat(Samples.text(cursor.key())).isEqualTo(key(number));
            }
        }
    }

    private static int value(Table table, int number) {
        assertThat(find(table, key(number))).isInstanceOf(Lookup.Found.class);
        return Integer.parseInt(Samples.text(((Lookup.Found) find(table, key(number))).value()));
    }

    private static Lookup find(Table table, String key) {
        byte[] bytes = Samples.bytes(key);
        return table.find(bytes, Keys.hash(bytes), READING, true);
    }

    private Table open(long bytes, TableContext context) throws IOException {
        return Table.open(TableSamples.map(storage, TableSamples.ID, bytes), context);
    }

    private long write() throws IOException {
        return TableSamples.write(storage, TableSamples.FILE, BLOCK_BYTES, entries)
                .bytes();
    }

    private static List<Entry> entries() {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            entries.add(TableSamples.put(Samples.bytes(key(i)), i + 1, Samples.bytes(String.valueOf(i))));
        }
        return entries;
    }

    private static String key(int number) {
        return "key-%06d".formatted(number);
    }
}
