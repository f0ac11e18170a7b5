package kvant.move.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;
import kvant.engine.EngineException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Lines of a range as a node writes them.
class RangeLineTest {

    @Test
    void aRecordIsRead() {
        assertThat(parse("{\"key\":\"awA=\",\"value\":\"djE=\"}"))
                .isInstanceOfSatisfying(RangeLine.Value.class, value -> {
                    assertThat(value.key()).containsExactly('k', 0);
                    assertThat(value.value()).containsExactly('v', '1');
                    assertThat(value.expiresAtMillis()).isZero();
                });
        assertThat(parse("{\"key\":\"aw==\",\"expires\":1795276800000,\"value\":\"\"}"))
                .isInstanceOfSatisfying(RangeLine.Value.class, value -> {
                    assertThat(value.value()).isEmpty();
                    assertThat(value.expiresAtMillis()).isEqualTo(1795276800000L);
                });
    }

    @Test
    void anyBytesAreRead() {
        Random random = new Random(3);
        for (int length = 1; length < 70; length++) {
            byte[] key = new byte[length];
            byte[] value = new byte[length - 1];
            random.nextBytes(key);
            random.nextBytes(value);
            String line = "{\"key\":\"" + Base64.getEncoder().encodeToString(key) + "\",\"value\":\""
                    + Base64.getEncoder().encodeToString(value) + "\"}";
            assertThat(parse(line)).isInstanceOfSatisfying(RangeLine.Value.class, read -> {
                assertThat(read.key()).isEqualTo(key);
                assertThat(read.value()).isEqualTo(value);
            });
        }
    }

    @Test
    void theLastLineSaysWhetherThatWasAll() {
        assertThat(parse("{\"complete\":true,\"records\":2}")).isInstanceOf(RangeLine.Complete.class);
        assertThat(parse("{\"complete\":false,\"reason\":\"it is late\"}"))
                .isEqualTo(new RangeLine.BrokenOff("it is late"));
        assertThat(parse("{\"complete\":false,\"reason\":\"it \\\"is\\\" late\"}"))
                .isEqualTo(new RangeLine.BrokenOff("it \"is\" late"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "<html>",
                "{\"key\":\"aw==\"}",
                "{\"key\":\"aw==\",\"value\":\"djE=\"",
                "{\"key\":\"aw==\",\"value\":\"djE=",
                "{\"key\":\"aw==\",\"value\":\"djE=\"}x",
                "{\"key\":\"a!==\",\"value\":\"djE=\"}",
                "{\"complete\":maybe}"
            })
    void anythingElseIsRefused(String line) {
        assertThatThrownBy(() -> parse(line))
                .isInstanceOf(EngineException.Io.class)
                .hasMessageContaining("not in its format");
    }

    private static RangeLine parse(String line) {
        byte[] bytes = (line + "rest of an older line").getBytes(StandardCharsets.UTF_8);
        return RangeLine.parse(bytes, line.length());
    }
}
