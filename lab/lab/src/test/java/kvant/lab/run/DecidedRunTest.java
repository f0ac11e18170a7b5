package kvant.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import kvant.lab.experiment.Experiment;
import kvant.lab.result.ExperimentRecord.Look;
import kvant.lab.result.ExperimentRecord.UntilDecided;
import kvant.lab.result.RunRecord;
import kvant.lab.result.StepRecord;
import kvant.lab.run.RunListener.Eta;
import kvant.load.loop.StopSwitch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Runs that continue until each question is decided, with real processes.
@Tag("full") // two minutes: rounds until they are decided
class DecidedRunTest extends LabRunFixture {

    /// Answers a question after so many looks, and says what it still wants until then.
    private Instruments deciding(int looks, List<String> asked) {
        return new Instruments() {
            @Override
            public List<Undecided> undecided(Path folder) {
                written.add(run().looks().size());
                asked.add(RunRecord.read(folder).steps().stream()
                        .filter(StepRecord::isDone)
                        .map(StepRecord::id)
                        .toList()
                        .toString());
                return asked.size() >= looks ? List.of() : List.of(new Undecided("q", "a", "c", "put", 0.1, 4, 0));
            }
        };
    }

    /// Looks that were in the folder when the answers were looked at.
    private final List<Integer> written = new ArrayList<>();

    private final List<Eta> looks = new ArrayList<>();
    private final RunListener looking = new RunListener() {
        @Override
        public void looked(Eta time, boolean goesOn) {
            looks.add(time);
        }
    };

    private LabRun.Outcome runUntilDecided(Duration atMost, Instruments instruments) throws IOException {
        Experiment experiment =
                experiment("  - {name: a}\n  - {name: b}\n  - {name: c}\n", "").withRepeats(2);
        UntilDecided limit = new UntilDecided(atMost.toNanos());
        return LabRun.run(request(experiment, limit, _ -> ""), instruments, looking, stop);
    }

    @Test
    void aRunGoesOnUntilEachQuestionIsDecidedWithThoseVariantsThatAreAskedFor() throws IOException {
        List<String> asked = new ArrayList<>();
        LabRun.Outcome outcome = runUntilDecided(Duration.ofHours(1), deciding(3, asked));

        assertThat(outcome.partialReason()).isNull();
        assertThat(asked).hasSize(3).first().isEqualTo("[01-a-put, 01-b-put, 01-c-put, 02-c-put, 02-b-put, 02-a-put]");
        assertThat(statuses().subList(6, 14))
                .containsExactly(
                        "03-c-put done",
                        "03-a-put done",
                        "04-a-put done",
                        "04-c-put done",
                        "05-c-put done",
                        "05-a-put done",
                        "06-a-put done",
                        "06-c-put done");
        assertThat(json("run.json").toString()).contains("untilDecided={atMostNanos=3600000000000, looks=[");
        assertThat(run().looks()).extracting(Look::repeat).containsExactly(2, 4, 6);
        assertThat(written).containsExactly(1, 2, 3);
        assertThat(run().looks()).extracting(Look::spent).isSorted().allMatch(spent -> spent < 0.1);
        assertThat(looks).hasSize(3);
        assertThat(looks.getLast().open()).isEmpty();
        Duration time = looks.getFirst().open().getFirst().time();
        assertThat(time).isPositive().isCloseTo(looks.getFirst().needed(), Duration.ofMillis(1));
        assertThat(looks.getFirst().left()).isBetween(Duration.ofMinutes(50), Duration.ofHours(1));
    }

    @Test
    void aRunThatHasSpentItsTimeEndsAfterABlock() throws IOException {
        List<String> asked = new ArrayList<>();
        runUntilDecided(Duration.ofMillis(1), deciding(9, asked));

        assertThat(asked)
                .as("once more, when it is clear that this is the last look")
                .hasSize(2);
        assertThat(statuses()).hasSize(6).allMatch(one -> one.endsWith(" done"));
        assertThat(run().looks()).containsExactly(new Look(2, 1));
    }

    private UntilDecided run() {
        return Objects.requireNonNull(
                RunRecord.read(folder.resolve("out")).experiment().untilDecided());
    }

    /// However the run ends: here no variant has the load for which more rounds are asked.
    @Test
    void theLastLookHasAllThatIsLeft() throws IOException {
        Instruments asking = new Instruments() {
            @Override
            public List<Undecided> undecided(Path folder) {
                return List.of(new Undecided("q", "a", "c", "get", 0.1, 4, 0));
            }
        };
        runUntilDecided(Duration.ofHours(1), asking);

        assertThat(run().looks()).containsExactly(new Look(2, 1));
    }

    /// The time spent before counts: with all of it again, the run would look more often than its error allows.
    @Test
    void aRunThatIsResumedHasTheTimeThatIsLeft() throws IOException {
        Instruments stopping = new Instruments() {
            @Override
            public List<Undecided> undecided(Path folder) {
                stop.stop();
                return List.of(new Undecided("q", "a", "c", "put", 0.1, 4, 0));
            }
        };
        runUntilDecided(Duration.ofMinutes(5), stopping);
        double before = run().spent();
        assertThat(before).isPositive();
        LabRun.resumed(
                request(LabRun.experimentOf(folder.resolve("out")), _ -> ""),
                deciding(1, new ArrayList<>()),
                listener,
                new StopSwitch());

        assertThat(run().spent()).isGreaterThan(before);
    }

    @Test
    void aRunThatHasSpentItsTimeLooksOnceMoreAndNoLonger() throws IOException {
        runUntilDecided(Duration.ofMillis(1), deciding(9, new ArrayList<>()));
        List<String> asked = new ArrayList<>();
        LabRun.resumed(
                request(LabRun.experimentOf(folder.resolve("out")), _ -> ""),
                deciding(1, asked),
                listener,
                new StopSwitch());
        assertThat(asked).hasSize(1);
        assertThat(statuses()).hasSize(6);
    }
}
