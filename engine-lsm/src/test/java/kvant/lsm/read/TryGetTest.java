package kvant.lsm.read;

import static kvant.engine.Samples.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import kvant.engine.Cursor;
import kvant.engine.Durability;
import kvant.engine.LocalEngine.Reach;
import kvant.engine.Lookup;
import kvant.engine.Mutation;
import kvant.engine.Range;
import kvant.engine.Samples;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;
import kvant.lsm.table.Compression;
import kvant.lsm.value.ValueOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A real disk, and tables that the page cache does not hold.
class TryGetTest {

    private static final int RECORDS = 8_000;

    /// Makes tables far larger than what a kernel reads around one page, which may be megabytes.
    private static final int VALUE_BYTES = 8_000;

    /// Far from the first and the last block, which opening reads, with what the kernel reads ahead of them.
    private static final String MIDDLE = key(RECORDS / 2);

    /// Within what any kernel reads around a page.
    private static final String NEARBY = key(RECORDS / 2 + 2);

    /// Right behind the key in the middle, and not let through by the filter.
    private static final String ABSENT = MIDDLE + "-";

    private static final int PAGE_BYTES = 4096;

    /// Less than the 128 KiB that Linux reads around a page by default.
    private static final long MOST_READ_BY_OPENING = 64 << 10;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(Compression.class)
    void whatIsNotInMemoryIsNotWaitedFor(Compression compression) throws Exception {
        LsmOptions options = LsmOptions.defaults()
                .withDurability(Durability.NONE)
                .with(draft -> {
                    draft.table = draft.table.withCompression(List.of(compression));
                    draft.values = draft.values.from(ValueOptions.NEVER);
                });
        fill(options);
        try (LsmEngine engine = LsmEngine.open(folder, options)) {
            assertThat(engine.tryGet(bytes(MIDDLE))).isEqualTo(Lookup.Miss.WOULD_BLOCK);
            assertThat(engine.tryGet(bytes(MIDDLE))).as("asking reads nothing").isEqualTo(Lookup.Miss.WOULD_BLOCK);
            assertThat(engine.tryGet(bytes("absent")))
                    .as("a key before all others, which needs the first filter")
                    .isNotInstanceOf(Lookup.Found.class);
            assertThat(engine.tryGet(bytes(ABSENT)))
                    .as("a filter that is on the disk")
                    .isEqualTo(Lookup.Miss.WOULD_BLOCK);
            assertThat(engine.get(bytes(MIDDLE))).isInstanceOf(Lookup.Found.class);
            assertThat(engine.tryGet(bytes(MIDDLE))).as("read a moment ago").isInstanceOf(Lookup.Found.class);
            assertThat(engine.tryGet(bytes(ABSENT)))
                    .as("its filter is in memory")
                    .isEqualTo(Lookup.Miss.ABSENT);
            assertThat(engine.tryGet(bytes(NEARBY)))
                    .as("a look-up reads nothing around it")
                    .isEqualTo(Lookup.Miss.WOULD_BLOCK);
            try (Cursor scan = engine.scan(bytes(MIDDLE), null)) {
                assertThat(scan.next()).isTrue();
                assertThat(scan.next()).isTrue(); // a block that was never read
            }
            assertThat(engine.tryGet(bytes(NEARBY))).as("a scan reads ahead").isInstanceOf(Lookup.Found.class);
        }
    }

    /// The first block of the range is in memory, and the second is not.
    @ParameterizedTest
    @EnumSource(Compression.class)
    void aShortRangeDoesNotWaitForTheDisk(Compression compression) throws Exception {
        LsmOptions options = plain().with(draft -> draft.table = draft.table.withCompression(List.of(compression)));
        fill(options);
        try (LsmEngine engine = LsmEngine.open(folder, options)) {
            assertThat(tryScan(engine, 1)).as("nothing of it is in memory").isEqualTo(Reach.WOULD_BLOCK);
            assertThat(engine.get(bytes(MIDDLE))).isInstanceOf(Lookup.Found.class);
            assertThat(tryScan(engine, 1)).as("one record, read a moment ago").isEqualTo(Reach.WHOLE);
            assertThat(tryScan(engine, 4)).as("the records behind it").isEqualTo(Reach.WOULD_BLOCK);
            assertThat(tryScan(engine, 4)).as("asking reads nothing").isEqualTo(Reach.WOULD_BLOCK);
            for (int i = 1; i < 4; i++) {
                assertThat(engine.get(bytes(key(RECORDS / 2 + i)))).isInstanceOf(Lookup.Found.class);
            }
            assertThat(tryScan(engine, 4)).as("read a moment ago").isEqualTo(Reach.WHOLE);
        }
    }

    @Test
    void aShortRangeDoesNotWaitForSeparatedValues() throws Exception {
        LsmOptions options = LsmOptions.defaults().withDurability(Durability.NONE);
        fill(options);
        try (LsmEngine engine = LsmEngine.open(folder, options)) {
            assertThat(engine.get(bytes(MIDDLE), Lookup.Filter.NONE)).isInstanceOf(Lookup.Described.class);
            assertThat(tryScan(engine, 1)).isEqualTo(Reach.WOULD_BLOCK);
            assertThat(engine.get(bytes(MIDDLE))).isInstanceOf(Lookup.Found.class);
            assertThat(tryScan(engine, 1)).as("read a moment ago").isEqualTo(Reach.WHOLE);
            assertThat(engine.tryScan(middle(1), VALUE_BYTES - 1, (_, _, _, _) -> {}))
                    .as("a value that is too long is not read")
                    .isEqualTo(Reach.TOO_LONG);
        }
    }

    /// An event loop passes over some of them, and leaves the rest to a worker.
    @Test
    void aShortRangeBehindManyDeletionsIsNotShort() {
        try (LsmEngine engine = LsmEngine.open(folder, plain())) {
            Samples.write(engine, Samples.put("z", "last"));
            List<Mutation> deletions = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                deletions.add(Samples.delete(key(i)));
            }
            Samples.write(engine, deletions.toArray(Mutation[]::new));
            assertThat(engine.tryScan(Range.all().limit(1), VALUE_BYTES, (_, _, _, _) -> {}))
                    .isEqualTo(Reach.TOO_LONG);
            assertThat(Samples.shortScan(engine, Range.of(bytes(key(900)), null).limit(1), VALUE_BYTES))
                    .extracting(Samples.Entry::key)
                    .containsExactly("z");
        }
    }

    private static Reach tryScan(LsmEngine engine, int records) {
        return engine.tryScan(middle(records), 2 * records * VALUE_BYTES, (_, _, _, _) -> {});
    }

    private static Range middle(int records) {
        return Range.of(bytes(MIDDLE), null).limit(records);
    }

    /// Existence is known from the table, which is in memory after one look-up.
    @Test
    void aSeparatedValueThatIsNotInMemoryIsNotWaitedFor() throws Exception {
        LsmOptions options = LsmOptions.defaults().withDurability(Durability.NONE);
        fill(options);
        try (LsmEngine engine = LsmEngine.open(folder, options)) {
            assertThat(engine.get(bytes(MIDDLE), Lookup.Filter.NONE)).isInstanceOf(Lookup.Described.class);
            assertThat(engine.tryGet(bytes(MIDDLE), Lookup.Filter.NONE))
                    .as("the block of the table was read a moment ago")
                    .isInstanceOf(Lookup.Described.class);
            assertThat(engine.tryGet(bytes(MIDDLE))).isEqualTo(Lookup.Miss.WOULD_BLOCK);
            assertThat(engine.tryGet(bytes(MIDDLE))).as("asking reads nothing").isEqualTo(Lookup.Miss.WOULD_BLOCK);
            assertThat(engine.get(bytes(MIDDLE))).isInstanceOf(Lookup.Found.class);
            assertThat(engine.tryGet(bytes(MIDDLE))).as("read a moment ago").isInstanceOf(Lookup.Found.class);
            assertThat(engine.tryGet(bytes(NEARBY)))
                    .as("a look-up reads nothing around it")
                    .isEqualTo(Lookup.Miss.WOULD_BLOCK);
        }
    }

    /// A store of thousands of tables would else be read by the megabyte before it answers.
    @Test
    void openingReadsTheEndsOfTablesAlone() throws Exception {
        fill(plain());
        try (LsmEngine _ = LsmEngine.open(folder, plain())) {
            for (Path table : tables()) {
                assertThat(residentBytes(table)).as(table.toString()).isLessThanOrEqualTo(MOST_READ_BY_OPENING);
            }
        }
    }

    /// Else each page of a block is a request of its own, one after another.
    @Test
    void aLookUpThatMayWaitHasTheDiskReadABlockByOneRequest() throws Exception {
        fill(plain());
        try (LsmEngine engine = LsmEngine.open(folder, plain())) {
            assertThat(engine.get(bytes(key(0)))).isInstanceOf(Lookup.Found.class);
            long before = majorFaults();
            int keys = 50;
            for (int i = 1; i <= keys; i++) {
                assertThat(engine.get(bytes(key(i * RECORDS / (keys + 1))))).isInstanceOf(Lookup.Found.class);
            }
            assertThat(majorFaults() - before)
                    .as("pages that a thread had to ask the disk for")
                    .isLessThan(keys);
        }
    }

    private static LsmOptions plain() {
        return LsmOptions.defaults()
                .withDurability(Durability.NONE)
                .with(draft -> draft.values = draft.values.from(ValueOptions.NEVER));
    }

    private static long residentBytes(Path file) throws IOException {
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file)) {
            MemorySegment mapping = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            return LongStream.range(0, mapping.byteSize() / PAGE_BYTES)
                            .filter(page -> mapping.asSlice(page * PAGE_BYTES, PAGE_BYTES)
                                    .isLoaded())
                            .count()
                    * PAGE_BYTES;
        }
    }

    /// Of this process, see proc_pid_stat(5).
    private static long majorFaults() throws IOException {
        Path stat = Path.of("/proc/self/stat");
        assumeTrue(Files.exists(stat), "the count of page faults is Linux'");
        String text = Files.readString(stat);
        String[] behindName = text.substring(text.lastIndexOf(')') + 2).split(" ");
        return Long.parseLong(behindName[9]);
    }

    /// Closes the store, and leaves nothing of its files in memory.
    private void fill(LsmOptions options) throws Exception {
        try (LsmEngine engine = LsmEngine.open(folder, options)) {
            for (int first = 0; first < RECORDS; first += 100) {
                List<Mutation> batch = new ArrayList<>();
                for (int i = first; i < first + 100; i++) {
                    batch.add(new Mutation.Put(bytes(key(i)), value(i)));
                }
                Samples.write(engine, batch.toArray(Mutation[]::new));
            }
            engine.maintenance().compact(_ -> {});
        }
        dropFromPageCache();
    }

    private static String key(int i) {
        return "key%06d".formatted(i);
    }

    /// Half of it can be compressed away.
    private static byte[] value(int i) {
        byte[] value = new byte[VALUE_BYTES];
        System.arraycopy(Samples.noise(VALUE_BYTES / 2, i), 0, value, 0, VALUE_BYTES / 2);
        return value;
    }

    /// Has `dd` drop the files' pages from the cache (`posix_fadvise`).
    private void dropFromPageCache() throws Exception {
        assumeTrue(!Files.getFileStore(folder).type().equals("tmpfs"), "a file system in memory has no disk");
        for (Path table : tables()) {
            Process dd = new ProcessBuilder(
                            "dd", "of=" + table, "oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none")
                    .inheritIO()
                    .start();
            assertThat(dd.waitFor()).as("dd").isZero();
        }
    }

    /// With the files of large values.
    private List<Path> tables() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> tables = files.filter(file -> file.toString().endsWith(".table")
                            || file.toString().endsWith(".values"))
                    .toList();
            assertThat(tables).isNotEmpty();
            return tables;
        }
    }
}
