package kvant.lsm.version;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import kvant.engine.Samples;
import kvant.lsm.Seeds;
import kvant.lsm.bytes.Keys;
import kvant.lsm.record.ListCursor;
import kvant.lsm.record.ListCursor.Entry;
import kvant.lsm.record.Tag;
import kvant.lsm.storage.HeapStorage;
import kvant.lsm.table.Table;
import kvant.lsm.table.TableContext;
import kvant.lsm.table.TableFile;
import kvant.lsm.table.TableInfo;
import kvant.lsm.table.TableOptions;
import org.junit.jupiter.api.Test;

/// A wrong "no" here would bring deleted values back: the answers are compared with those of a look at every table.
class OlderTablesTest {

    private static final long SEED = Seeds.seed(62);
    private static final int KEYS = 400;

    private final HeapStorage storage = new HeapStorage();
    private final Random random = new Random(SEED);
    private long lastNumber;

    @Test
    void theAnswerIsYesExactlyWithinTheRangesOfOlderTablesThatTakeNoPart() throws IOException {
        for (int round = 0; round < 60; round++) {
            List<Run> runs = new ArrayList<>();
            for (long id = 1 + random.nextInt(4); id > 0; id--) {
                runs.add(run(2 * id));
            }
            long output = 1 + random.nextInt(10);
            Set<Long> inputs = new HashSet<>();
            runs.forEach(run -> run.tableInfos().stream()
                    .map(TableInfo::number)
                    .filter(_ -> random.nextInt(3) == 0)
                    .forEach(inputs::add));
            OlderTables older = new OlderTables(runs, output, inputs);
            for (int key = 0; key < KEYS; key++) {
                if (random.nextBoolean()) {
                    byte[] padded = ("##" + name(key) + "#").getBytes(StandardCharsets.UTF_8);
                    assertThat(older.mayHold(padded, 2, padded.length - 3))
                            .as("seed %d, round %d, key %d", SEED, round, key)
                            .isEqualTo(expected(runs, output, inputs, Samples.bytes(name(key))));
                }
            }
        }
    }

    private static boolean expected(List<Run> runs, long output, Set<Long> inputs, byte[] key) {
        for (Run run : runs) {
            for (LiveTable table : run.tables()) {
                if (run.id() < output
                        && !inputs.contains(table.info().number())
                        && Keys.compare(table.table().properties().smallestKey(), key) <= 0
                        && Keys.compare(key, table.table().properties().largestKey()) <= 0) {
                    return true;
                }
            }
        }
        return false;
    }

    private Run run(long id) throws IOException {
        TreeSet<Integer> keys = new TreeSet<>();
        for (int i = 0; i < 1 + random.nextInt(30); i++) {
            keys.add(random.nextInt(KEYS));
        }
        List<Entry> entries = keys.stream()
                .map(key -> new Entry(Samples.bytes(name(key)), Tag.of(1, Tag.PUT), new byte[20]))
                .toList();
        RunWriter writer = new RunWriter(storage, random, () -> ++lastNumber, new TableOptions(50, 100), _ -> {});
        List<LiveTable> tables = new ArrayList<>();
        for (TableInfo info : writer.write(new ListCursor(entries), id).tables()) {
            tables.add(new LiveTable(info, Table.open(TableFile.map(storage, info), new TableContext(0))));
        }
        return new Run(id, tables);
    }

    private static String name(int key) {
        return "key-%04d".formatted(key);
    }
}
