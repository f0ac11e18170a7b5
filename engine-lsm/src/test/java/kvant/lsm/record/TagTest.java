package kvant.lsm.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TagTest {

    @Test
    void sequenceAndKindAreFoundAgain() {
        for (long sequence : new long[] {1, 255, 256, (1L << 55) - 1}) {
            for (int kind : new int[] {Tag.DELETE, Tag.PUT, Tag.PUT_EXPIRING}) {
                long tag = Tag.of(sequence, kind);
                assertThat(Tag.sequence(tag)).isEqualTo(sequence);
                assertThat(Tag.kind(tag)).isEqualTo(kind);
                assertThat(tag).isLessThan(Tag.NEWEST).isLessThanOrEqualTo(Tag.upTo(sequence));
            }
        }
    }

    @Test
    void aSnapshotSeesItsSequenceAndNotTheNext() {
        assertThat(Tag.upTo(7)).isGreaterThan(Tag.of(7, Tag.PUT_EXPIRING)).isLessThan(Tag.of(8, Tag.DELETE));
    }
}
