package kvant.lab.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import kvant.lab.experiment.Experiment;
import kvant.lab.experiment.Experiment.Scale;
import kvant.lab.experiment.Shipped;
import kvant.lab.result.ExperimentRecord.UntilDecided;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// The number of rounds of a command, and its other options for a run.
class RoundOptionsTest {

    private static final Experiment EXPERIMENT = Shipped.find("A").read(Scale.DECIDE);

    /// A command with nothing but these options.
    @Command
    private static final class Only {
        @Mixin
        private RoundOptions rounds = new RoundOptions();
    }

    private static RoundOptions options(String... words) {
        Only only = new Only();
        new CommandLine(only).parseArgs(words);
        return only.rounds;
    }

    /// The command line that repeats the run.
    private static List<String> repeated(String... words) {
        CommandLine line = new CommandLine(new Only());
        line.parseArgs(words);
        return LabAction.given(line.getCommandSpec());
    }

    @Test
    void anOddNumberOfRepeatsIsRoundedUpToWholeBlocksAndSaysSo() {
        assertThat(options("--repeats", "5").applied(EXPERIMENT).repeats()).isEqualTo(6);
        assertThat(options("--repeats", "5").roundedUp())
                .hasValue("'--repeats 5' becomes 6: two repeats are a block, and an odd one would belong to none");
        assertThat(options("--repeats", "4").applied(EXPERIMENT).repeats()).isEqualTo(4);
        assertThat(options("--repeats", "4").roundedUp()).isEmpty();
        assertThat(options("--repeats", "1").applied(EXPERIMENT).repeats()).isEqualTo(1);
        assertThat(options().roundedUp()).isEmpty();
    }

    /// As are the times in its files, and so that folders sort by when they were made.
    @Test
    void theDateInTheNameOfAFolderIsInUtc() {
        TimeZone own = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Apia")); // 13 hours away
        try {
            String name = options().folder(EXPERIMENT).toString();
            LocalDateTime made = LocalDateTime.parse(
                    name.substring(name.length() - 15), DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT));

            assertThat(Duration.between(made.toInstant(ZoneOffset.UTC), Instant.now()))
                    .isLessThan(Duration.ofHours(12))
                    .isGreaterThan(Duration.ofHours(-12));
        } finally {
            TimeZone.setDefault(own);
        }
    }

    @Test
    void aDecisionHasTheTimeOfItsExperimentWhereNobodySaysOtherwise() {
        RoundOptions decide = options();
        decide.decide();
        decide.check();

        assertThat(decide.limit(EXPERIMENT))
                .isEqualTo(new UntilDecided(EXPERIMENT.atMost().toNanos()));
        assertThat(EXPERIMENT.atMost()).isLessThan(Duration.ofMinutes(15));
        assertThat(decide.applied(EXPERIMENT).repeats()).isEqualTo(2);
        assertThat(repeated()).isEmpty();
        RoundOptions longer = options("--at-most", "1h");
        longer.decide();
        assertThat(longer.limit(EXPERIMENT))
                .isEqualTo(new UntilDecided(Duration.ofHours(1).toNanos()));
        assertThat(options().limit(EXPERIMENT)).isNull();
        RoundOptions both = options("--repeats", "4");
        both.decide();
        assertThatThrownBy(both::check).hasMessageContaining("either '--repeats' or '--decide'");
    }

    /// The refusal comes first, without a wait for a look at the machine or for commits to be built.
    @Test
    void aFolderThatHoldsSomethingIsRefusedBeforeAnythingBegins(@TempDir Path folder) throws IOException {
        RoundOptions there = options("--out", folder.toString());
        there.check();
        Files.createFile(folder.resolve("thesis.txt"));

        assertThatThrownBy(there::check).hasMessageContaining("exists already: choose another '--out'");
    }

    @Test
    void aDecisionMeasuresInTurnsUnlessSomebodySaysOtherwise() {
        assertThat(options().applied(EXPERIMENT).disturbed().slice()).isEqualTo(Duration.ofSeconds(1));

        RoundOptions off = options("--interleaved", "off");
        assertThat(off.applied(EXPERIMENT).disturbed().isInterleaved()).isFalse();
        assertThat(off.changeTheExperiment()).isTrue();
        assertThat(repeated("--interleaved", "off", "--work", ".")).containsExactly("--interleaved", "off");

        RoundOptions half = options("--interleaved", "500ms");
        assertThat(half.applied(Shipped.find("A").read(Scale.FULL)).disturbed().slice())
                .isEqualTo(Duration.ofMillis(500));
        assertThatThrownBy(() -> options("--interleaved", "10ms").applied(EXPERIMENT))
                .hasMessage("'--interleaved': '10ms' is neither a time from 200ms to 1m nor 'off'");
    }
}
