package kvant.report.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import kvant.lab.result.Remark;
import kvant.lab.result.RunRecord.Missing;
import kvant.lab.result.TailRecord;
import kvant.report.StudyFixture;
import kvant.report.SyntheticLoad;
import kvant.report.folder.Results.MeasuredStep;
import kvant.text.UserException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A folder is read as far as it is there, whatever is in it.
class ResultFolderTest {

    @TempDir
    Path folder;

    private StudyFixture fixture() {
        return new StudyFixture(folder).variant("a").variant("b").phase("put");
    }

    @Test
    void whatIsNoFolderOfResultsIsOneLine() throws IOException {
        assertThatThrownBy(() -> ResultFolder.read(folder.resolve("none")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is no such folder");
        assertThatThrownBy(() -> ResultFolder.read(folder))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("it has no run.json");
        for (String text : new String[] {"{", "[1]", "{\"schema\": \"kvant-lab/9\"}", "[".repeat(200_000), "\0"}) {
            Files.writeString(folder.resolve("run.json"), text);
            assertThatThrownBy(() -> ResultFolder.read(folder))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("run.json")
                    .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
        }
    }

    @Test
    void aDamagedFileIsMissedAndKeepsNothingElseFromBeingRead() throws IOException {
        StudyFixture fixture = fixture()
                .step("a", "put", 1, SyntheticLoad.of(1, 1))
                .step("b", "put", 1, SyntheticLoad.of(1, 2))
                .samples("a", "put", 1);
        fixture.write(
                "runs/01-b-put/load.json",
                "{\"schema\": \"kvant-load/1\", \"requests\": {\"due\": 1, \"errors\": 0},"
                        + " \"latency\": {\"response\": {\"histogram\": \"AAAA\"}}}");
        fixture.write("runs/01-a-put/tail.json", "{\"bands\": [");
        Results results = ResultFolder.read(fixture.write());

        assertThat(results.steps().get(0).load()).isNotNull();
        assertThat(results.steps().get(0).samples().events()).hasSize(4);
        assertThat(results.steps().get(1).load()).isNull();
        assertThat(results.missing())
                .contains(new Missing(
                        new Remark.FileOf("runs/01-b-put/load.json"),
                        new Remark.Given("runs/01-b-put/load.json: a histogram in it cannot be read")))
                .anyMatch(one -> one.what().equals(new Remark.FileOf("runs/01-a-put/tail.json"))
                        && one.why() instanceof Remark.Given why
                        && why.text().contains("not JSON"));
    }

    @Test
    void nothingOutsideOfTheFolderIsRead() throws IOException {
        Path outside = Files.writeString(
                folder.resolve("secret.json"), SyntheticLoad.of(1, 1).json());
        Path inside = Files.createDirectory(folder.resolve("inside"));
        StudyFixture fixture =
                new StudyFixture(inside).variant("..").phase("..").step("a", "put", 1, SyntheticLoad.of(1, 1));
        String run = Files.readString(fixture.write().resolve("run.json"));
        for (String path : new String[] {"../secret.json", outside.toString(), "runs/../../secret.json"}) {
            Files.writeString(inside.resolve("run.json"), run.replace("runs/01-a-put/load.json", path));
            Results results = ResultFolder.read(inside);

            assertThat(results.steps().getFirst().load()).as(path).isNull();
            assertThat(results.missing()).anyMatch(one -> one.why().equals(new Remark.FileOutside()));
        }
    }

    /// A zip file has a working directory of its own, so that "." need not be that of the test.
    @Test
    void theFolderThatOneIsInIsReadAsAnyOther() throws IOException {
        try (FileSystem zip = FileSystems.newFileSystem(folder.resolve("results.zip"), Map.of("create", "true"))) {
            Path here = zip.getPath(".");
            new StudyFixture(here)
                    .variant("a")
                    .phase("put")
                    .step("a", "put", 1, SyntheticLoad.of(1, 1))
                    .tail("a", "put", 1, 0.9)
                    .write();
            Results results = ResultFolder.read(here);

            assertThat(results.missing()).isEmpty();
            assertThat(results.steps().getFirst().load()).isNotNull();
            assertThat(results.steps().getFirst().tail()).isNotNull();
        }
    }

    @Test
    void aTailIsThatOfAStepThatWasDoneAndHadSlowRequests() throws IOException {
        StudyFixture fixture = fixture()
                .step("a", "put", 1, "planned", "stopped")
                .tail("a", "put", 1, 0.9)
                .step("b", "put", 1, SyntheticLoad.of(1, 1));
        fixture.write("runs/01-b-put/tail.json", "{\"schema\": \"kvant-tail/1\", \"bands\": []}");

        assertThat(ResultFolder.read(fixture.write()).steps())
                .extracting(MeasuredStep::tail)
                .containsOnlyNulls();
    }

    @Test
    void aFlameGraphOutsideOfItsFolderIsNotLinked() throws IOException {
        Results results = ResultFolder.read(fixture()
                .step("a", "put", 1, SyntheticLoad.of(1, 1))
                .profile("a", "put")
                .write());

        assertThat(results.profiles().getFirst().events())
                .extracting(Profile.Event::html)
                .containsExactly("profiles/a-put/cpu.html", "", "profiles/a-put/slow.html");
        assertThat(results.missing())
                .contains(new Missing(
                        new Remark.ProfilePart("profiles/a-put", "lock"), new Remark.Given("nobody waited")));
    }

    @Test
    void roundsOfATailAreJoinedByTheirRequests() {
        TailRecord one = tail(0.9, 1, 10);
        TailRecord other = tail(0.9, 3, 40);
        TailRecord joined = TailRecord.joined(List.of(one, other));

        assertThat(joined.bands().getFirst().requests()).isEqualTo(4);
        assertThat(joined.bands().getFirst().meanNanos()).isEqualTo(32.5);
        assertThat(joined.bands().getFirst().parts()).containsEntry("queue", 32.5);
        assertThat(joined.bands().getFirst().meanwhile()).containsEntry("flush", 16.25);
        assertThat(joined.attributedShare()).isEqualTo(0.9, within(1e-9));
    }

    @Test
    void whatWasAttributedOfRoundsIsOfTheirTime() {
        List<TailRecord> rounds = List.of(tail(0.2, 1, 10), tail(0.8, 3, 40), tail(Double.NaN, 5, 50));

        assertThat(TailRecord.joined(rounds).attributedShare()).isEqualTo((2 + 96) / 130.0, within(1e-9));
        assertThat(TailRecord.joined(rounds.subList(2, 3)).attributedShare()).isNaN();
    }

    private static TailRecord tail(double attributed, long requests, double nanos) {
        return new TailRecord(
                TailRecord.SCHEMA,
                attributed,
                requests,
                requests,
                requests,
                List.of(new TailRecord.Band(
                        99.9, 100, requests, attributed, nanos, Map.of("queue", nanos), Map.of("flush", nanos / 2))),
                List.of());
    }
}
