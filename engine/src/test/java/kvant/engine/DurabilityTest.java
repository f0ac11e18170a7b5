package kvant.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurabilityTest {

    @Test
    void readsThePolicies() {
        assertThat(Durability.parse("always")).isEqualTo(Durability.ALWAYS);
        assertThat(Durability.parse("none")).isEqualTo(Durability.NONE);
        assertThat(Durability.parse("interval=250")).isEqualTo(new Durability.Interval(Duration.ofMillis(250)));
        assertThat(Durability.parse("interval=1")).isEqualTo(new Durability.Interval(Duration.ofMillis(1)));
        assertThat(Durability.parse("interval=60000")).isEqualTo(new Durability.Interval(Durability.LONGEST));
    }

    @ParameterizedTest
    @ValueSource(strings = {"always", "none", "interval=7"})
    void showsAPolicyAsItIsWritten(String text) {
        assertThat(Durability.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ALWAYS", " always", "interval", "interval=", "interval=1s", "interval=1.5", "sync"})
    void saysWhatIsExpectedWhereTextIsNoPolicy(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Durability.parse(text))
                .withMessageContaining("always, interval=MS")
                .withMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"interval=0", "interval=-5", "interval=60001", "interval=9223372036854775807"})
    void refusesIntervalsThatMakeNoSense(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Durability.parse(text))
                .withMessageContaining("1 to 60000 ms");
    }
}
