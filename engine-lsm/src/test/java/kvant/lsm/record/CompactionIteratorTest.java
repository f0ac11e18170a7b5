package kvant.lsm.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import kvant.engine.Samples;
import kvant.lsm.record.ListCursor.Entry;
import org.junit.jupiter.api.Test;

class CompactionIteratorTest {

    private static final long NOW = 1_000;

    private static final Entry A_NEW = put("a", 9);
    private static final Entry A_OLD = put("a", 3);
    private static final Entry B_DELETED = new Entry(key("b"), Tag.of(8, Tag.DELETE), new byte[0]);
    private static final Entry B_OLD = put("b", 2);
    private static final Entry C_EXPIRED = expiring("c", 7, NOW);
    private static final Entry C_DELETED = new Entry(key("c"), Tag.of(7, Tag.DELETE), new byte[0]);
    private static final Entry C_OLD = put("c", 1);
    private static final Entry D_EXPIRES_LATER = expiring("d", 6, NOW + 1);
    private static final Entry E_LONG = put("e".repeat(5_000), 5);
    private static final Entry E_LONG_OLD = put("e".repeat(5_000), 4);

    private static final List<Entry> ALL =
            List.of(A_NEW, A_OLD, B_DELETED, B_OLD, C_EXPIRED, C_OLD, D_EXPIRES_LATER, E_LONG, E_LONG_OLD);

    @Test
    void keepsTheNewestOfEachKeyAndADeletionOfWhatExpiredWhileSomethingOlderMayLieBeneath() {
        assertThat(survivors(TombstoneFilter.UNKNOWN))
                .containsExactly(A_NEW, B_DELETED, C_DELETED, D_EXPIRES_LATER, E_LONG);
    }

    @Test
    void keepsADeletionOnlyForKeysThatMayLieBeneath() {
        TombstoneFilter onlyC = (key, offset, length) -> length == 1 && key[offset] == 'c';
        assertThat(survivors(onlyC)).containsExactly(A_NEW, C_DELETED, D_EXPIRES_LATER, E_LONG);
    }

    @Test
    void dropsDeletionsAndWhatHasExpiredAtTheBottom() {
        assertThat(survivors(TombstoneFilter.NOTHING)).containsExactly(A_NEW, D_EXPIRES_LATER, E_LONG);
    }

    @Test
    void aDroppedDeletionDoesNotUncoverWhatItHid() {
        assertThat(survivors(TombstoneFilter.NOTHING)).doesNotContain(B_OLD, C_OLD);
    }

    @Test
    void nothingSurvivesOfDeletionsAlone() {
        CompactionIterator cursor =
                new CompactionIterator(new ListCursor(List.of(B_DELETED, B_OLD)), TombstoneFilter.NOTHING, NOW);
        assertThat(cursor.seek(new byte[0])).isFalse();
        assertThat(cursor.next()).isFalse();
    }

    @Test
    void seekingAgainShowsTheSameAgain() {
        CompactionIterator cursor = new CompactionIterator(new ListCursor(ALL), TombstoneFilter.NOTHING, NOW);
        List<Entry> first = ListCursor.drain(cursor, key("a"));
        assertThat(ListCursor.drain(cursor, key("a"))).isEqualTo(first);
        assertThat(ListCursor.drain(cursor, key("b"))).containsExactly(D_EXPIRES_LATER, E_LONG);
    }

    private static List<Entry> survivors(TombstoneFilter older) {
        return ListCursor.drain(new CompactionIterator(new ListCursor(ALL), older, NOW), new byte[0]);
    }

    private static Entry put(String key, long sequence) {
        return new Entry(key(key), Tag.of(sequence, Tag.PUT), new byte[] {1});
    }

    private static Entry expiring(String key, long sequence, long expiresAtMillis) {
        byte[] stored = ByteBuffer.allocate(9)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(expiresAtMillis)
                .array();
        return new Entry(key(key), Tag.of(sequence, Tag.PUT_EXPIRING), stored);
    }

    private static byte[] key(String text) {
        return Samples.bytes(text);
    }
}
