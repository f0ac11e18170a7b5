package kvant.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitsTest {

    @ParameterizedTest
    @CsvSource({"0,0", "4096,4096", "64MiB,67108864", "64mib,67108864", "64MB,64000000", "1.5 GiB,1610612736", "10B,10"
    })
    void readsSizesInPowersOf1024AndOf1000(String text, long bytes) {
        assertThat(Units.bytes(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"64M", "64k", "64Mi"})
    void refusesASizeThatMayMeanTwo(String text) {
        assertThatThrownBy(() -> Units.bytes(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("powers of 1024");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "MiB", "-1", "1e3", "64 Mib b", "64iB", "9999999TiB", "1,5GiB"})
    void refusesWhatIsNoSize(String text) {
        assertThatThrownBy(() -> Units.bytes(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @ParameterizedTest
    @CsvSource({"0,0 B", "1023,1023 B", "1024,1 KiB", "1536,1.5 KiB", "67108864,64 MiB", "1099511627776,1 TiB"})
    void writesSizesWithTheLargestUnit(long bytes, String text) {
        assertThat(Units.bytes(bytes)).isEqualTo(text);
    }

    @Test
    void whatIsWrittenCanBeRead() {
        for (long bytes = 1; bytes < 1L << 50; bytes *= 2) {
            assertThat(Units.bytes(Units.bytes(bytes))).isEqualTo(bytes);
        }
    }

    @ParameterizedTest
    @CsvSource({"640000,640.00us", "1230000,1.23ms", "2e9,2.00s", "90e9,1.50m"})
    void writesTimes(double nanos, String text) {
        assertThat(Units.time(nanos)).isEqualTo(text);
    }
}
