package kvant.bench.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import kvant.bench.Main;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class SimulateCompactionCommandTest {

    private static final String SMALL = "simulate-compaction --data 4MiB --record 1KiB --memtable 64KiB --table 64KiB ";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void bothStylesAreShownWithTheirCurves() {
        assertThat(execute(SMALL)).isZero();
        assertThat(out.toString())
                .contains("uniform of 4 MiB, records of 1 KiB, memtables of 64 KiB, written 6.00 times")
                .contains("(simulated at 1:1)")
                .containsPattern("(?m)^leveled +[2-9]\\.\\d\\d +1\\.[0-3]\\d ")
                .containsPattern("(?m)^universal +[1-9]\\.\\d\\d ")
                .contains("write amplification, over bytes written, l = leveled, u = universal")
                .contains("l")
                .contains("u");
    }

    @Test
    void sizesAreScaledAlikeSoThatShapesStay() {
        assertThat(execute("simulate-compaction --style leveled --data 400GiB --record 100KiB --memtable 6.4GiB"
                        + " --table 6.4GiB --writes 3"))
                .isZero();
        String large = out.toString()
                .lines()
                .filter(line -> line.startsWith("leveled"))
                .findFirst()
                .orElseThrow();
        out.getBuffer().setLength(0);
        assertThat(execute("simulate-compaction --style leveled --data 100GiB --record 100KiB --memtable 1.6GiB"
                        + " --table 1.6GiB --writes 3"))
                .isZero();
        String small = out.toString()
                .lines()
                .filter(line -> line.startsWith("leveled"))
                .findFirst()
                .orElseThrow();
        assertThat(Double.parseDouble(small.split(" +")[1]))
                .isCloseTo(Double.parseDouble(large.split(" +")[1]), Percentage.withPercentage(10));
    }

    @Test
    void jsonHoldsEveryPoint() {
        assertThat(execute(SMALL + "--style universal --format json --writes 2"))
                .isZero();
        assertThat(out.toString())
                .startsWith("{\"workload\":\"uniform\",\"dataBytes\":4194304,")
                .contains("\"curves\":{\"universal\":[{\"writtenBytes\":")
                .doesNotContain("leveled")
                .endsWith("]}}\n");
        assertThat(out.toString().split("\"runs\":").length - 1).isBetween(80, 130);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            simulate-compaction --data huge                   | 'huge' is not a size, such as 4096, 64MiB or 10GiB
            simulate-compaction --writes 0                    | '--writes' is more than 0 and at most 100
            simulate-compaction --data 1 --record 2           | '--data' is at least one '--record'
            simulate-compaction --data 10TiB                   | is too small beside '--data 10 TiB'
            simulate-compaction --style best                  | 'best' is not one of both, leveled, universal
            simulate-compaction --multiplier 1                | at least 1 run, 1 byte, and levels that grow
            """)
    void aWrongOptionIsExplainedInOneLine(String line, String expected) {
        assertThat(execute(line)).isEqualTo(2);
        assertThat(err.toString()).contains(expected).hasLineCount(1);
        assertThat(out.toString()).isEmpty();
    }

    private int execute(String line) {
        return Main.execute(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                line.strip().split(" +"));
    }
}
