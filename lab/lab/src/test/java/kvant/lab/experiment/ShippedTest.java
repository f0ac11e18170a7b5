package kvant.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import kvant.lab.experiment.Experiment.Scale;
import kvant.lab.result.ExperimentRecord.Question;
import kvant.lab.result.Remark;
import kvant.load.record.Percentiles;
import org.junit.jupiter.api.Test;

/// The experiments that come with Kvant.
class ShippedTest {

    @Test
    void eachFileOfTheFolderIsShipped() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("../../experiments"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(
                            Shipped.names().stream().map(name -> name + ".yaml").toList());
        }
    }

    @Test
    void eachIsFoundByLetterAndName() {
        for (int i = 0; i < Shipped.names().size(); i++) {
            String letter = String.valueOf((char) ('A' + i));
            String name = Shipped.names().get(i);
            assertThat(Shipped.find(letter).read(Scale.FULL).name()).isEqualTo(name);
            assertThat(Shipped.find(letter.toLowerCase(Locale.ROOT))).isEqualTo(Shipped.find(name));
            assertThat(Shipped.find(name).read(Scale.FULL).letter()).isEqualTo(letter);
        }
        assertThatThrownBy(() -> Shipped.find("Z")).hasMessageContaining("unknown experiment 'Z'");
        assertThatThrownBy(() -> Shipped.find("no.yaml")).hasMessageContaining("no such file");
    }

    @Test
    void eachQuestionHasBothLanguagesAndSurvivesTheQuickScale() {
        for (String name : Shipped.names()) {
            Experiment full = Shipped.find(name).read(Scale.FULL);
            Experiment quick = Shipped.find(name).read(Scale.QUICK);
            assertThat(full.questions())
                    .as(name)
                    .isNotEmpty()
                    .allSatisfy(question -> assertThat(question.textRu()).isNotBlank());
            assertThat(quick.questions()).as(name).isNotEmpty();
            assertThat(full.titleRu()).isNotBlank();
            assertThat(full.phases())
                    .allSatisfy(
                            phase -> assertThat(phase.pace().warmup().auto()).isTrue());
        }
    }

    /// All texts of the Russian report are in Russian, without English.
    @Test
    void eachTextOfTheReportIsThereInRussian() {
        for (String name : Shipped.names()) {
            Experiment full = Shipped.find(name).read(Scale.FULL);
            List<String> texts = new ArrayList<>(List.of(full.titleRu(), full.descriptionRu()));
            full.variants().forEach(one -> texts.add(one.titleRu()));
            full.questions().forEach(one -> texts.add(one.textRu()));
            full.published().stream().filter(one -> !one.note().isEmpty()).forEach(one -> texts.add(one.noteRu()));
            if (full.source() != null) {
                texts.add(full.source().titleRu());
                texts.add(full.source().stageRu());
            }
            assertThat(texts)
                    .as(name)
                    .allSatisfy(text -> assertThat(text)
                            .containsPattern("\\p{IsCyrillic}")
                            .doesNotContainPattern("[a-z]{2,} [a-z]{2,} [a-z]{2,}"));
        }
    }

    @Test
    void eachPublishedTestIsCited() {
        for (String name : Shipped.names()) {
            Experiment full = Shipped.find(name).read(Scale.FULL);
            if ("ABCDE".contains(full.letter())) {
                assertThat(full.source()).as(name).isNotNull();
                assertThat(full.source().title()).isNotBlank();
                assertThat(full.source().course()).isEqualTo("highload-dht");
                assertThat(full.source().year()).isNotBlank();
                assertThat(full.source().stage()).isEqualTo("3 (asynchronous server)");
                assertThat(full.source().links()).hasSize(2).allMatch(link -> link.startsWith("https://github.com/"));
            } else {
                assertThat(full.source()).as(name).isNull();
            }
        }
    }

    /// Of two rounds nothing is known of how much rounds differ.
    @Test
    void theQuickScaleHasRoundsThatAnswerAndTakesAFewMinutes() {
        for (String name : Shipped.names()) {
            Experiment quick = Shipped.find(name).read(Scale.QUICK);
            assertThat(quick.repeats()).as(name).isGreaterThanOrEqualTo(3);
            assertThat(quick.estimate())
                    .as(name)
                    .isLessThan(Duration.ofMinutes(10).plusSeconds(10));
            quick.phases().forEach(phase -> assertTold(quick, phase));
        }
    }

    @Test
    void poolAndQueueIsQuick() {
        Experiment quick = Shipped.find("pool-and-queue").read(Scale.QUICK);

        assertThat(quick.estimate()).isLessThan(Duration.ofMinutes(5).plusSeconds(30));
    }

    /// Rates, connections and what is compared are those of the full scale; time is what is saved.
    @Test
    void theShortScaleAsksEachQuestionInLittleMoreThanAnHourForAllPublishedOnes() {
        Duration all = Duration.ZERO;
        for (String name : Shipped.names()) {
            Experiment full = Shipped.find(name).read(Scale.FULL);
            Experiment small = Shipped.find(name).read(Scale.SHORT);
            assertThat(small.questions()).as(name).isEqualTo(full.questions());
            assertThat(small.published()).as(name).isEqualTo(full.published());
            assertThat(small.repeats()).as(name).isGreaterThanOrEqualTo(3); // fewer cannot say how much rounds differ
            for (Phase phase : small.phases()) {
                assertThat(phase.pace().rate())
                        .isEqualTo(full.phase(phase.name()).pace().rate());
                assertThat(phase.clients().connections())
                        .isEqualTo(full.phase(phase.name()).clients().connections());
            }
            all = "ABCDEF".contains(full.letter()) ? all.plus(small.estimate()) : all;
        }
        assertThat(all).isBetween(Duration.ofMinutes(60), Duration.ofMinutes(80));
    }

    /// Whether each percentile that is asked for has enough requests of a round beyond it.
    private static void assertTold(Experiment experiment, Phase phase) {
        for (Question question : experiment.questions()) {
            boolean asked = question.phase().isEmpty() || question.phase().equals(phase.name());
            if (asked && question.metric().startsWith("p") && !phase.pace().isClosed()) {
                double percentile = Double.parseDouble(question.metric().substring(1));
                double requests = phase.pace().rate() * phase.pace().duration().toMillis() / 1000;
                assertThat(Percentiles.isTold(percentile, (long) requests))
                        .as("%s, %s, %s", experiment.name(), question.id(), phase.name())
                        .isTrue();
            }
        }
    }

    /// Six rounds of all that is asked, and the profiles, fit into its time with a fifth to spare: with less a machine
    /// that is a little slower would end each run before it may decide anything.
    @Test
    void theScaleOfADecisionHasTimeForAnswersToAllPublishedQuestionsInAnHour() {
        Duration published = Duration.ZERO;
        for (String name : Shipped.names()) {
            Experiment full = Shipped.find(name).read(Scale.FULL);
            Experiment decide = Shipped.find(name).read(Scale.DECIDE);
            assertThat(decide.questions()).as(name).isEqualTo(full.questions());
            assertThat(decide.estimateOfBlocks(3).toMillis())
                    .as(name)
                    .isLessThan(decide.atMost().toMillis() * 5 / 6);
            for (Phase phase : decide.phases()) {
                assertThat(phase.pace().rate())
                        .isEqualTo(full.phase(phase.name()).pace().rate());
                assertThat(phase.clients().connections())
                        .isEqualTo(full.phase(phase.name()).clients().connections());
                assertThat(phase.clients().threads()).isEqualTo(1);
                assertTold(decide, phase);
            }
            published = "ABCDE".contains(full.letter()) ? published.plus(decide.atMost()) : published;
        }
        assertThat(published).isLessThanOrEqualTo(Duration.ofMinutes(60));
        assertThat(ExperimentLint.of(Shipped.find("D").read(Scale.DECIDE), 2))
                .as("a node warms itself up before it is ready")
                .noneMatch(doubt -> doubt instanceof Remark.ShortWarmup);
    }

    /// The published figures are those of the specification of the workloads.
    @Test
    void publishedFiguresAndSizesAreThere() {
        Experiment a = Shipped.find("A").read(Scale.FULL);
        assertThat(a.published())
                .hasSize(4)
                .allSatisfy(
                        one -> assertThat(one.percentiles()).containsOnlyKeys(50.0, 90.0, 99.0, 99.9, 99.99, 100.0));
        assertThat(a.phase("put").pace().rate()).isEqualTo(2000);
        assertThat(a.variant("sync-16").connections()).isEqualTo(16);
        Experiment d = Shipped.find("D").read(Scale.FULL);
        assertThat(d.phase("put").pace().duration()).isEqualTo(Duration.ofMinutes(10));
        assertThat(d.phase("get-slow").pace().rate()).isEqualTo(10_000);
        assertThat(d.published().getFirst().percentiles()).containsEntry(90.0, 1500.0);
        Experiment e = Shipped.find("E").read(Scale.FULL);
        assertThat(e.variants()).hasSize(10);
        assertThat(e.profiling().events()).contains("cpu", "alloc");
    }

    @Test
    void queuesThatNeverFillAreDoubted() {
        List<Remark> doubts = ExperimentLint.of(Shipped.find("E").read(Scale.FULL), 2);

        assertThat(doubts)
                .contains(new Remark.QueueNeverFills("w4-q64", List.of("put", "get"), 64, 64))
                .noneMatch(doubt -> doubt.toString().contains("variant=w4-q8,"))
                .noneMatch(doubt ->
                        doubt.toString().contains("w4-q128") && doubt.toString().contains("put-wide"));
    }

    @Test
    void workersCountAsRoomInTheQueue() {
        String text = """
                name: e
                title: t
                variants: [{name: a, serve: {executor: async, workers: 2, queue: 8}}]
                phases: [{name: put, workload: put, connections: %d, depth: 2}]
                """;

        assertThat(ExperimentLint.of(ExperimentReaderTest.read(text.formatted(5)), 2))
                .hasSize(1);
        assertThat(ExperimentLint.of(ExperimentReaderTest.read(text.formatted(6)), 2))
                .isEmpty();
    }

    @Test
    void unlikeConnectionsAreDoubted() {
        assertThat(ExperimentLint.of(Shipped.find("A").read(Scale.FULL), 8))
                .contains(new Remark.UnlikeConnections("connections", "put"))
                .noneMatch(doubt -> doubt.toString().contains("question=put-tail,"));
    }

    @Test
    void otherFaultsOfMethodAreDoubted() {
        String text = """
                name: e
                title: t
                repeats: 1
                variants: [{name: a, serve: {executor: sync, warm-up: 0}}, {name: b, serve: {executor: virtual}}]
                phases:
                  - {name: delete, workload: delete, prefill: 100, rate: 100, duration: 2s, warmup: 1s, threads: 9}
                  - {name: get, workload: get, prefill: 100, keys: 1k, rate: 100, duration: 2s}
                questions: [{id: q, text: x, compare: [a, b]}]
                """;

        assertThat(ExperimentLint.of(ExperimentReaderTest.read(text), 2))
                .contains(
                        new Remark.SingleRepeat(),
                        new Remark.ShortWarmup("delete", 1_000_000_000),
                        new Remark.MoreDeletesThanKeys("delete", 100),
                        new Remark.MoreThreadsThanCores("delete", 9, 2),
                        new Remark.KeysNeverPut("get", 1000, 100));
    }
}
