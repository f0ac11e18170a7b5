package kvant.engine;

import static kvant.engine.Samples.bytes;
import static kvant.engine.Samples.keys;
import static kvant.engine.Samples.put;
import static kvant.engine.Samples.rest;
import static kvant.engine.Samples.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Scans of a [Range]: prefixes and limits.
interface RangeContract extends ContractFixture {

    @Test
    default void aPrefixHoldsItselfAndWhatBeginsWithIt() {
        fill("a", "ab", "ab\0", "aba", "ab\u00ff", "ab\u00ff\u00ff\u00ff", "ac", "b");
        assertThat(keysOf(prefix("ab"))).containsExactly("ab", "ab\0", "aba", "ab\u00ff", "ab\u00ff\u00ff\u00ff");
        assertThat(keysOf(prefix("aba"))).containsExactly("aba");
        assertThat(keysOf(prefix("abb"))).isEmpty();
        assertThat(keysOf(prefix("c"))).isEmpty();
    }

    @Test
    default void aPrefixMayEndInTheLargestByte() {
        fill("a", "a\u00fe", "a\u00ff", "a\u00ff\0", "a\u00ff\u00ff", "a\u00ff\u00ffz", "b", "b\0");
        assertThat(keysOf(prefix("a\u00ff")))
                .containsExactly("a\u00ff", "a\u00ff\0", "a\u00ff\u00ff", "a\u00ff\u00ffz");
        assertThat(keysOf(prefix("a\u00ff\u00ff"))).containsExactly("a\u00ff\u00ff", "a\u00ff\u00ffz");
        assertThat(keysOf(prefix("a\u00fe"))).containsExactly("a\u00fe");
    }

    @Test
    default void aPrefixOfLargestBytesGoesToTheEndOfTheStore() {
        fill("\u00fe\u00ff", "\u00ff", "\u00ff\0", "\u00ff\u00ff", "\u00ff\u00ff\u00ff");
        assertThat(keysOf(prefix("\u00ff")))
                .containsExactly("\u00ff", "\u00ff\0", "\u00ff\u00ff", "\u00ff\u00ff\u00ff");
        assertThat(keysOf(prefix("\u00ff\u00ff"))).containsExactly("\u00ff\u00ff", "\u00ff\u00ff\u00ff");
    }

    @Test
    default void aPrefixCrossesTheMiddleOfTheBytes() {
        fill("\u007f", "\u007fx", "\u007f\u00ff", "\u0080", "\u0080x", "\u0081");
        assertThat(keysOf(prefix("\u007f"))).containsExactly("\u007f", "\u007fx", "\u007f\u00ff");
        assertThat(keysOf(prefix("\u0080"))).containsExactly("\u0080", "\u0080x");
    }

    @Test
    default void theEmptyPrefixAndAllHoldEverything() {
        fill("\0", "k", "\u00ff\u00ff");
        assertThat(keysOf(prefix(""))).containsExactly("\0", "k", "\u00ff\u00ff");
        assertThat(keysOf(Range.all())).containsExactly("\0", "k", "\u00ff\u00ff");
    }

    @Test
    default void aLimitBoundsTheRecordsOfAScan() {
        fill("a", "b", "c", "d");
        assertThat(keysOf(Range.all().limit(0))).isEmpty();
        assertThat(keysOf(Range.all().limit(1))).containsExactly("a");
        assertThat(keysOf(Range.all().limit(3))).containsExactly("a", "b", "c");
        assertThat(keysOf(Range.all().limit(4))).containsExactly("a", "b", "c", "d");
        assertThat(keysOf(Range.all().limit(5))).containsExactly("a", "b", "c", "d");
        assertThat(keysOf(Range.all().limit(Range.UNLIMITED))).hasSize(4);
        assertThat(keysOf(Range.of(bytes("b"), bytes("d")).limit(1))).containsExactly("b");
        assertThat(keysOf(Range.of(bytes("b"), bytes("d")).limit(3))).containsExactly("b", "c");
        assertThat(keysOf(prefix("c").limit(2))).containsExactly("c");
    }

    @Test
    default void aLimitCountsWhatIsShownOnly() {
        fill("a", "b", "c", "d", "e");
        write(engine(), Samples.delete("a"), Samples.delete("c"), new Mutation.Put(bytes("d"), bytes("gone"), 1));
        assertThat(keysOf(Range.all().limit(2))).containsExactly("b", "e");
    }

    @Test
    default void aScanThatReachedItsLimitStaysFinished() {
        fill("a", "b", "c");
        try (Cursor cursor = engine().scan(Range.all().limit(2))) {
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.next()).isFalse();
            assertThat(cursor.next()).isFalse();
        }
    }

    @Test
    default void aClosedEngineRefusesRanges() {
        Engine engine = engine();
        engine.close();
        assertThatThrownBy(() -> engine.scan(Range.all().limit(0))).isInstanceOf(EngineException.Closed.class);
    }

    private void fill(String... keys) {
        List<Mutation> puts = new ArrayList<>();
        for (String key : keys) {
            puts.add(put(key, "of " + key));
        }
        write(engine(), WriteBatch.of(puts));
    }

    private List<String> keysOf(Range range) {
        try (Cursor cursor = engine().scan(range)) {
            return keys(rest(cursor));
        }
    }

    private static Range prefix(String prefix) {
        return Range.prefix(bytes(prefix));
    }
}
