package kvant.lsm.version;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import kvant.engine.Lookup;
import kvant.engine.Samples;
import kvant.lsm.Seeds;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.ListCursor;
import kvant.lsm.record.ListCursor.Entry;
import kvant.lsm.record.Reading;
import kvant.lsm.record.Tag;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.table.Compression;
import kvant.lsm.table.Table;
import kvant.lsm.table.TableContext;
import kvant.lsm.table.TableFile;
import kvant.lsm.table.TableInfo;
import kvant.lsm.table.TableOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RunTest {

    private static final long SEED = Seeds.seed(61);

    private final HeapStorage storage = new HeapStorage();

    @Test
    void aKeyIsFoundInWhicheverTableHoldsItAndNowhereBetween() throws IOException {
        List<Entry> entries = entries(500);
        Run run = run(entries);
        assertThat(run.tableInfos()).hasSizeGreaterThan(5);
        for (Entry entry : entries) {
            Lookup found = find(run, entry.key());
            assertThat(found).isInstanceOf(Lookup.Found.class);
            assertThat(((Lookup.Found) found).value()).isEqualTo(entry.value());
            byte[] after = Arrays.copyOf(entry.key(), entry.key().length + 1);
            assertThat(find(run, after)).isNull();
        }
        assertThat(find(run, Samples.bytes("zzz"))).isNull();
        assertThat(find(run, Samples.bytes("a"))).isNull();
    }

    @Test
    void theCursorWalksFromTableToTable() throws IOException {
        List<Entry> entries = entries(500);
        Run run = run(entries);
        assertThat(ListCursor.drain(run.cursor(), new byte[0])).isEqualTo(entries);
        for (int i = 0; i < entries.size(); i += 7) {
            assertThat(ListCursor.drain(run.cursor(), entries.get(i).key()))
                    .isEqualTo(entries.subList(i, entries.size()));
        }
        assertThat(run.cursor().seek(Samples.bytes("zzz"))).isFalse();
        assertThat(run.cursor().next()).as("before a seek").isFalse();
        assertThat(run.bytes())
                .isEqualTo(run.tableInfos().stream().mapToLong(TableInfo::bytes).sum());
    }

    @Test
    void theLevelOfARunDecidesItsCompression() throws IOException {
        TableOptions options = new TableOptions(400, 100_000)
                .withCompression(List.of(Compression.NONE, Compression.LZ4, Compression.ZSTD));
        long[] number = {0};
        RunWriter writer = new RunWriter(storage, new Random(SEED), () -> ++number[0], options, _ -> {});
        List<Long> sizes = new ArrayList<>();
        for (long run : new long[] {99, Levels.runOf(1), Levels.runOf(2), Levels.runOf(Levels.LAST)}) {
            sizes.add(writer.write(new ListCursor(entries(500)), run)
                    .tables()
                    .getFirst()
                    .bytes());
        }
        assertThat(sizes.get(1)).as("level 1, lz4").isLessThan(sizes.get(0));
        assertThat(sizes.get(2)).as("level 2, zstd").isNotEqualTo(sizes.get(1)).isLessThan(sizes.get(0));
        assertThat(sizes.get(3)).as("the last level").isEqualTo(sizes.get(2));
        assertThat(Compression.MAX_LEVELS).isEqualTo(Levels.LAST + 1);
    }

    private Run run(List<Entry> entries) throws IOException {
        long[] number = {0};
        RunWriter writer =
                new RunWriter(storage, new Random(SEED), () -> ++number[0], new TableOptions(100, 1_000), _ -> {});
        List<LiveTable> tables = new ArrayList<>();
        for (TableInfo info : writer.write(new ListCursor(entries), 9).tables()) {
            tables.add(new LiveTable(info, Table.open(TableFile.map(storage, info), new TableContext(0))));
        }
        Collections.shuffle(tables, new Random(SEED));
        return new Run(9, tables);
    }

    private static @Nullable Lookup find(Run run, byte[] key) {
        return run.find(key, Keys.hash(key), Reading.by(InstantSource.system()), true);
    }

    private static List<Entry> entries(int count) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(new Entry(Samples.bytes("key-%05d".formatted(i)), Tag.of(i + 1, Tag.PUT), new byte[i % 50]));
        }
        return entries;
    }
}
