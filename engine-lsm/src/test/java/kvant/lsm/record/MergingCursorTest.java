package kvant.lsm.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import kvant.lsm.Seeds;
import kvant.lsm.record.ListCursor.Entry;
import org.junit.jupiter.api.Test;

class MergingCursorTest {

    private static final byte[] START = {};
    private static final long SEED = Seeds.seed(21);

    @Test
    void nothingIsMergedToNothing() {
        MergingCursor none = new MergingCursor(List.of());
        assertThat(none.seek(START)).isFalse();
        assertThat(none.next()).isFalse();
        MergingCursor empty = new MergingCursor(List.of(new ListCursor(List.of()), new ListCursor(List.of())));
        assertThat(empty.next()).as("before a seek").isFalse();
        assertThat(empty.seek(START)).isFalse();
    }

    @Test
    void theSameVersionInTwoSourcesComesFromTheEarlierFirst() {
        Entry early = new Entry(new byte[] {1}, Tag.of(5, Tag.PUT), new byte[] {10});
        Entry late = new Entry(new byte[] {1}, Tag.of(5, Tag.PUT), new byte[] {20});
        Entry newer = new Entry(new byte[] {1}, Tag.of(6, Tag.PUT), new byte[] {30});
        MergingCursor merged = merged(List.of(List.of(early), List.of(late), List.of(newer)));
        assertThat(ListCursor.drain(merged, START)).containsExactly(newer, early, late);
    }

    @Test
    void mergesLikeSortingEverything() {
        Random random = new Random(SEED);
        for (int round = 0; round < 300; round++) {
            List<List<Entry>> sources = new ArrayList<>();
            List<Entry> all = new ArrayList<>();
            long sequence = 1;
            for (int source = random.nextInt(7); source >= 0; source--) {
                List<Entry> entries = new ArrayList<>();
                for (int i = random.nextInt(30); i > 0; i--) {
                    entries.add(new Entry(
                            Seeds.key(random, 3), Tag.of(sequence++, random.nextInt(2)), new byte[random.nextInt(3)]));
                }
                sources.add(entries);
                all.addAll(entries);
            }
            all.sort(Entry.ORDER);
            MergingCursor merged = merged(sources);
            byte[] from = random.nextBoolean() ? START : Seeds.key(random, 3);
            assertThat(ListCursor.drain(merged, from))
                    .as("seed %d, round %d", SEED, round)
                    .isEqualTo(ListCursor.drain(new ListCursor(all), from));
        }
    }

    private static MergingCursor merged(List<List<Entry>> sources) {
        return new MergingCursor(sources.stream().map(ListCursor::new).toList());
    }
}
