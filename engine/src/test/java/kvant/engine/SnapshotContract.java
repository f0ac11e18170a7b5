package kvant.engine;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.delete;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.rest;
import static kvant.engine.Samples.scan;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// Level of a [LocalEngine]: a scan shows one unchanging moment, and a batch is never seen half.
interface SnapshotContract extends ContractFixture {

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
                Range keys = Range.of(bytes("key"), bytes("kez"));
                while (writing.get()) {
                    assertThat(scan(engine, "key", "kez")).hasSize(1);
                    List<Samples.Entry> shown = Samples.shortScan((LocalEngine) engine, keys, 1_000);
                    if (shown != null) {
                        assertThat(shown).hasSize(1);
                    }
                }
            }
        });
    }

    @Test
    default void aBatchIsNeverSeenHalf() {
        Engine engine = engine();
        write(engine, put("a", "0"), put("m", "0"), put("z", "0"));
        AtomicBoolean writing = new AtomicBoolean(true);
        Crew.runAll(3, number -> {
            if (number == 0) {
                for (int i = 1; i <= 300; i++) {
                    write(engine, put("a", "" + i), put("m", "" + i), put("z", "" + i));
                }
                writing.set(false);
                return;
            }
            while (writing.get()) {
                List<Samples.Entry> entries = Samples.scan(engine, "", null);
                assertThat(entries).hasSize(3);
                assertThat(entries.get(1).value()).isEqualTo(entries.get(0).value());
                assertThat(entries.get(2).value()).isEqualTo(entries.get(0).value());
                int seen = Integer.parseInt(entries.get(0).value());
                assertAtLeast(seen, Samples.read(engine, bytes("z")));
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

    private static void assertAtLeast(int floor, Lookup lookup) {
        assertThat(Integer.parseInt(String.valueOf(Samples.valueOf(lookup)))).isGreaterThanOrEqualTo(floor);
    }
}
