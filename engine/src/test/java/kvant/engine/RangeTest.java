package kvant.engine;

import static kvant.engine.Samples.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RangeTest {

    @Test
    void theEndOfAPrefixIsItsLeastSuccessor() {
        assertThat(Range.prefix(bytes("ab"))).isEqualTo(Range.of(bytes("ab"), bytes("ac")));
        assertThat(Range.prefix(bytes("a\u00ff"))).isEqualTo(Range.of(bytes("a\u00ff"), bytes("b")));
        assertThat(Range.prefix(bytes("a\u00fe\u00ff\u00ff")).to()).isEqualTo(bytes("a\u00ff"));
        assertThat(Range.prefix(bytes("\u007f")).to()).isEqualTo(bytes("\u0080"));
        assertThat(Range.prefix(bytes("a\0")).to()).isEqualTo(bytes("a\u0001"));
    }

    @Test
    void somePrefixesHaveNoEnd() {
        assertThat(Range.prefix(bytes("\u00ff\u00ff")).to()).isNull();
        assertThat(Range.prefix(bytes(""))).isEqualTo(Range.all());
    }

    @Test
    void thePrefixThatWasGivenIsNotChanged() {
        byte[] prefix = bytes("ab");
        Range.prefix(prefix);
        assertThat(prefix).isEqualTo(bytes("ab"));
    }

    @Test
    void aLimitIsNotNegative() {
        assertThatThrownBy(() -> Range.all().limit(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThat(Range.all().limit(7).limit(0).limit()).isZero();
    }
}
