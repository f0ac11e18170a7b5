package kvant.lsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A table that is cut while it is mapped: what lies in it is refused, the rest is served, the process lives.
///
/// Before a first read (0 rounds) the checksum meets the missing pages, later the search does, interpreted or
/// compiled. Cut within a page, the rest of that page reads as zeros without any error.
class ShortenedTableTest {

    @ParameterizedTest(name = "{0} rounds of reads, cut to {1} bytes, {2}")
    @CsvSource({"0, 0, -Xmixed", "0, 5000, -Xmixed", "1, 5000, -Xint", "150, 0, -Xmixed", "150, 5000, -Xmixed"})
    void itsReadsAreRefusedAndTheProcessLives(int rounds, long size, String mode, @TempDir Path directory)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                mode,
                "-Xmx128m",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=" + directory.resolve("crash"),
                "-cp",
                System.getProperty("java.class.path"),
                "kvant.lsm.ShortenedTableVictim",
                directory.resolve("data").toString(),
                String.valueOf(rounds),
                String.valueOf(size)));
        Path printed = directory.resolve("printed");
        Process victim = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        boolean ended = victim.waitFor(60, TimeUnit.SECONDS);
        victim.destroyForcibly().waitFor();
        String output = Files.readString(printed, StandardCharsets.UTF_8);
        assertThat(ended).as("hangs after: " + output).isTrue();
        assertThat(victim.exitValue()).as(output).isZero();
        String[] lines = output.lines()
                .filter(line -> line.matches("(even|odd|scan|alive).*"))
                .toArray(String[]::new);
        assertThat(lines).as(output).hasSize(4);
        assertThat(lines[0]).contains("wrong=0").contains("other=0").doesNotContain("refused=0");
        if (size == 0) {
            assertThat(lines[0]).contains("right=0");
        }
        assertThat(lines[1]).isEqualTo("odd right=400 wrong=0 refused=0 other=0");
        assertThat(lines[2]).isEqualTo("scan refused");
    }
}
