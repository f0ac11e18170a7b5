package kvant.engine;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.delete;
import static kvant.engine.Samples.keys;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.scan;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Scans: the right keys, in unsigned order.
interface ScanContract extends ContractFixture {

    @Test
    default void aScanOfAnEmptyStoreIsEmpty() {
        assertThat(scan(engine(), "", null)).isEmpty();
        assertThat(scan(engine(), "a", "z")).isEmpty();
    }

    @Test
    default void aScanIncludesItsStartAndExcludesItsEnd() {
        write(engine(), put("a", "1"), put("b", "2"), put("c", "3"), put("d", "4"));
        assertThat(keys(scan(engine(), "b", "d"))).containsExactly("b", "c");
        assertThat(keys(scan(engine(), "b", null))).containsExactly("b", "c", "d");
        assertThat(keys(scan(engine(), "", "c"))).containsExactly("a", "b");
        assertThat(keys(scan(engine(), "", null))).containsExactly("a", "b", "c", "d");
        assertThat(keys(scan(engine(), "aa", "bb"))).containsExactly("b");
        assertThat(keys(scan(engine(), "b\0", "d\0"))).containsExactly("c", "d");
    }

    @Test
    default void aScanShowsKeysValuesAndVersionsAsGetDoes() {
        write(engine(), put("a", "1"), put("b", ""));
        write(engine(), put("a", "2"));
        for (Samples.Entry entry : scan(engine(), "", null)) {
            Lookup.Found found = (Lookup.Found) Samples.read(engine(), bytes(entry.key()));
            assertThat(entry.value()).isEqualTo(Samples.text(found.value()));
            assertThat(entry.version()).isEqualTo(found.version());
        }
    }

    @Test
    default void anEmptyOrReversedRangeHoldsNothing() {
        write(engine(), put("a", "1"), put("b", "2"), put("c", "3"));
        assertThat(scan(engine(), "b", "b")).isEmpty();
        assertThat(scan(engine(), "c", "a")).isEmpty();
        assertThat(scan(engine(), "", "")).isEmpty();
        assertThat(scan(engine(), "x", null)).isEmpty();
    }

    @Test
    default void keysOrderAsUnsignedBytes() {
        List<String> ordered = new ArrayList<>();
        for (char c = 0; c < 256; c++) {
            ordered.add("" + c);
            ordered.add(c + "\0");
            ordered.add(c + "\u007f");
            ordered.add(c + "\u0080");
            ordered.add(c + "\u00ff\u00ff");
        }
        List<Mutation> puts = new ArrayList<>();
        ordered.forEach(key -> puts.add(put(key, key)));
        Collections.shuffle(puts, new Random(7));
        write(engine(), WriteBatch.of(puts));
        assertThat(keys(scan(engine(), "", null))).isEqualTo(ordered);
        assertThat(keys(scan(engine(), "\u007f\u00ff", "\u0081"))).isEqualTo(ordered.subList(5 * 0x80 - 1, 5 * 0x81));
    }

    @Test
    default void aScanLeavesOutWhatWasDeleted() {
        for (int i = 0; i < 100; i++) {
            write(engine(), put(name(i), "v"));
        }
        List<String> left = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            if (i % 3 == 0) {
                left.add(name(i));
            } else {
                write(engine(), delete(name(i)));
            }
        }
        assertThat(keys(scan(engine(), "", null))).isEqualTo(left);
        reopen(Durability.ALWAYS);
        assertThat(keys(scan(engine(), "", null))).isEqualTo(left);
    }

    @Test
    default void aFinishedCursorStaysFinished() {
        write(engine(), put("a", "1"));
        try (Cursor cursor = engine().scan(bytes("a"), null)) {
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.next()).isFalse();
            write(engine(), put("b", "2"));
            assertThat(cursor.next()).isFalse();
            assertThat(cursor.next()).isFalse();
        }
    }

    @Test
    default void aCursorMayBeClosedEarlyAndTwice() {
        write(engine(), put("a", "1"), put("b", "2"));
        Cursor cursor = engine().scan(bytes("a"), null);
        assertThat(cursor.next()).isTrue();
        cursor.close();
        cursor.close();
        assertThat(scan(engine(), "", null)).hasSize(2);
    }

    /// Whatever else a scan may show: each key that is there from before to after it, once and in order.
    @Test
    default void aScanBesideWritesShowsWhatIsThereThroughout() {
        for (int i = 0; i < 300; i++) {
            write(engine(), put(String.format("stays%04d", i), "v"));
        }
        try (Cursor cursor = engine().scan(bytes(""), null)) {
            assertThat(cursor.next()).isTrue();
            String before = Samples.text(cursor.key());
            int stayed = before.startsWith("stays") ? 1 : 0;
            for (int i = 0; cursor.next(); i++) {
                write(engine(), put("comes" + i % 20, "v"), delete("comes" + (i + 10) % 20));
                String key = Samples.text(cursor.key());
                assertThat(key).isGreaterThan(before);
                stayed += key.startsWith("stays") ? 1 : 0;
                before = key;
            }
            assertThat(stayed).isEqualTo(300);
        }
    }

    private static String name(int i) {
        return String.format("key%04d", i);
    }
}
