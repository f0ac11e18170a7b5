package kvant.engine;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.delete;
import static kvant.engine.Samples.keys;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.rest;
import static kvant.engine.Samples.scan;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// Scans: the right keys, in unsigned order, of one unchanging snapshot.
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
            Lookup.Found found = (Lookup.Found) engine().get(bytes(entry.key()));
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

    @Test
    default void aSnapshotKeepsWhatItSawAtItsStart() {
        List<Samples.Entry> before = filled(1_000);
        try (Cursor fresh = engine().scan(bytes(""), null);
                Cursor begun = engine().scan(bytes(""), null)) {
            assertThat(begun.next()).isTrue();
            RecordingSink sink = new RecordingSink();
            int writes = 0;
            for (int round = 0; round < 5; round++) {
                for (int i = 0; i < 1_000; i++) {
                    Mutation mutation = i % 2 == 0 ? put(name(i), "changed " + round) : delete(name(i));
                    engine().submit(new Write(WriteBatch.of(mutation), sink));
                    engine().submit(new Write(WriteBatch.of(put(name(i) + "/new", "new")), sink));
                    writes += 2;
                }
            }
            sink.awaitCompleted(writes);
            assertThat(rest(fresh)).isEqualTo(before);
            assertThat(rest(begun)).isEqualTo(before.subList(1, before.size()));
        }
        assertThat(scan(engine(), "", null)).hasSize(1_500);
    }

    @Test
    default void snapshotsOfDifferentTimesDoNotDisturbEachOther() {
        List<Cursor> cursors = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            write(engine(), put("key", "" + i), put("only" + i, "x"));
            cursors.add(engine().scan(bytes("key"), bytes("kez")));
        }
        for (int i = 19; i >= 0; i--) {
            try (Cursor cursor = cursors.get(i)) {
                assertThat(rest(cursor)).extracting(Samples.Entry::value).containsExactly("" + i);
            }
        }
    }

    /// Writers move one token around a ring: at every moment exactly one of the keys holds it.
    @Test
    default void scansBesideWritersSeeConsistentSnapshots() {
        Engine engine = engine();
        int ring = 50;
        write(engine, put(name(0), "token"));
        AtomicBoolean writing = new AtomicBoolean(true);
        Crew.runAll(4, number -> {
            if (number == 0) {
                for (int i = 0; i < 500; i++) {
                    write(engine, delete(name(i % ring)), put(name((i + 1) % ring), "token"));
                }
                writing.set(false);
            } else if (number == 1) {
                for (int i = 0; writing.get(); i++) {
                    write(engine, put("noise" + i % 100, "x"));
                }
            } else {
                while (writing.get()) {
                    assertThat(scan(engine, "key", "kez")).hasSize(1);
                }
            }
        });
    }

    private List<Samples.Entry> filled(int count) {
        List<Mutation> puts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            puts.add(put(name(i), "value " + i));
        }
        write(engine(), WriteBatch.of(puts));
        List<Samples.Entry> entries = scan(engine(), "", null);
        assertThat(entries).hasSize(count);
        return entries;
    }

    private static String name(int i) {
        return String.format("key%04d", i);
    }
}
