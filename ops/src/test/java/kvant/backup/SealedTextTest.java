package kvant.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import kvant.text.UserException;
import org.junit.jupiter.api.Test;

class SealedTextTest {

    private static final SealedText OLD = new SealedText("a title", 1, "is something else");
    private static final SealedText NEW = new SealedText("a title", 2, "is something else");

    @Test
    void aLaterVersionReadsAnEarlierOneAndNotTheOtherWayRound() {
        assertThat(NEW.open(OLD.seal("key=value\n"), "list")).isEqualTo("key=value\n");
        assertThatThrownBy(() -> OLD.open(NEW.seal("key=value\n"), "list"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("list has format version 2");
    }

    @Test
    void aChangedByteIsDamage() {
        byte[] sealed = OLD.seal("key=value\n");
        sealed[sealed.length / 2] ^= 1;
        assertThatThrownBy(() -> OLD.open(sealed, "list"))
                .isInstanceOf(UserException.class)
                .hasMessage("list is damaged, or is something else");
    }
}
