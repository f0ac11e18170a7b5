package kvant.report.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import kvant.report.StudyFixture;
import kvant.report.SyntheticLoad;
import kvant.report.folder.ResultFolder;
import kvant.report.sentence.VerdictSentences;
import kvant.report.verdict.Verdict.Answer;
import kvant.report.verdict.Verdict.Outcome;
import kvant.report.words.Phrase;
import kvant.report.words.Words;
import kvant.report.words.Words.Language;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The sentences that follow from results.
class JudgeTest extends TwoVariants {

    private static final Words EN = new Words(Language.EN);
    private static final Words RU = new Words(Language.RU);
    private static final String QUEUE =
            "9.0 % of the CPU of async is the executor's queue (sync: 0.10 %); one profile of each.";

    private void rounds(int count, double factor) throws IOException {
        for (int round = 1; round <= count; round++) {
            double mood = 1 + 0.3 * round;
            fixture.step("sync", "put", round, SyntheticLoad.of(mood, round))
                    .step("async", "put", round, SyntheticLoad.of(factor * mood, 70 + round));
        }
    }

    private static String en(Phrase phrase) {
        return EN.say(phrase).replace('\u00a0', ' ');
    }

    private static List<String> en(List<Phrase> phrases) {
        return phrases.stream().map(JudgeTest::en).toList();
    }

    @Test
    void aSlowerVariantIsSaidToBeSlowerByHowMuchAndHowSurely() throws IOException {
        question("p99");
        rounds(4, 1.3);
        Verdict verdict = verdict();

        assertThat(verdict.outcome()).isEqualTo(Outcome.WORSE);
        assertThat(en(VerdictSentences.headline(verdict)))
                .matches("async is slower than sync at p99 by \\d+ % "
                        + "(± \\d+ %|\\(\\d+ % to \\d+ %\\)), with 2 cores\\.");
        assertThat(RU.say(VerdictSentences.headline(verdict)).replace('\u00a0', ' '))
                .matches("async медленнее, чем sync, на \\d+ % (± \\d+ %|\\(от \\d+ % до \\d+ %\\)) \\(p99\\);"
                        + " на 2 ядрах\\.");
        assertThat(en(VerdictSentences.details(verdict)).get(0))
                .contains("for sync", "for async", "geometric means of 4 rounds");
        assertThat(en(VerdictSentences.details(verdict)).get(1))
                .startsWith("95 % confidence, from the ratios within 4 rounds");
        assertThat(verdict.caveats()).isEmpty();
    }

    /// Whatever its stretches of time say: the machine may have been busy in one of the two steps.
    @Test
    void aSingleRoundClaimsNothing() throws IOException {
        question("p99");
        rounds(1, 4);
        Verdict verdict = verdict();

        assertThat(verdict.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(en(VerdictSentences.headline(verdict)))
                .isEqualTo("Too little to tell async from sync at p99, with 2 cores.");
        assertThat(en(VerdictSentences.details(verdict)))
                .contains("A single round cannot say how much rounds differ, so that" + " nothing is claimed.");
    }

    @Test
    void largeDifferencesAreFactors() throws IOException {
        question("p99");
        rounds(3, 4);

        assertThat(en(VerdictSentences.headline(verdict())))
                .matches("async takes [34]\\.\\d+ times as long as sync at p99 \\(.*");
    }

    @Test
    void aFasterVariantIsBetter() throws IOException {
        question("p50");
        rounds(3, 0.8);
        Verdict verdict = verdict();

        assertThat(verdict.outcome()).isEqualTo(Outcome.BETTER);
        assertThat(en(VerdictSentences.headline(verdict))).startsWith("async is faster than sync at p50 by ");
    }

    @Test
    void aDifferenceThatMattersIsRuledOutWhereTheIntervalLiesWithinTheMargin() throws IOException {
        question("p50");
        rounds(6, 1);
        Verdict verdict = verdict();

        assertThat(verdict.outcome()).isEqualTo(Outcome.SAME);
        assertThat(verdict.isDecided()).isTrue();
        assertThat(en(VerdictSentences.headline(verdict)))
                .matches("No difference of 10 % or more between async and sync at p50 "
                        + "\\(−[\\d.]+ % to \\+[\\d.]+ %\\), with 2 cores\\.");
        assertThat(RU.say(VerdictSentences.headline(verdict)).replace('\u00a0', ' '))
                .startsWith("Разницы в 10 % и больше между async и sync нет (p50; ");
        assertThat(en(VerdictSentences.badge(verdict))).isEqualTo("no difference of 10 % or more");
    }

    /// Rounds that differ by factors say nothing of a tenth: "no difference found" would be read as "equal".
    @Test
    void whatAWideIntervalCouldHideIsSaid() throws IOException {
        question("p50");
        double[] factors = {0.6, 1.7, 3.2};
        for (int round = 1; round <= 3; round++) {
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round))
                    .step("async", "put", round, SyntheticLoad.of(factors[round - 1], 70 + round));
        }
        Verdict verdict = verdict();

        assertThat(verdict.outcome()).isEqualTo(Outcome.UNDERPOWERED);
        assertThat(verdict.isDecided()).isFalse();
        assertThat(en(VerdictSentences.headline(verdict)))
                .matches("Too noisy to tell async from sync at p50: 3 rounds differ so much that a difference of more"
                        + " than 10x could hide \\(−8\\d % to more than 10x\\), with 2 cores\\.");
        assertThat(RU.say(VerdictSentences.headline(verdict)).replace('\u00a0', ' '))
                .matches("Слишком велик разброс, чтобы отличить async от sync: раунды \\(3\\) так расходятся, что могла"
                        + " остаться незамеченной разница более чем в 10 раз \\(p50; от −8\\d % до ×10 и больше\\);"
                        + " на 2 ядрах\\.");
        assertThat(en(VerdictSentences.badge(verdict))).isEqualTo("too noisy to tell");
    }

    @Test
    void aBlockThatLiesFarFromTheOthersIsLeftOutAndCounted() throws IOException {
        question("p50");
        for (int round = 1; round <= 28; round++) {
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round))
                    .step("async", "put", round, SyntheticLoad.of(round == 7 ? 9 : 1.3, 70 + round));
        }
        Verdict verdict = verdict();

        assertThat(verdict.outcome()).isEqualTo(Outcome.WORSE);
        assertThat(verdict.estimate().change()).isBetween(0.25, 0.35);
        assertThat(en(VerdictSentences.caveats(verdict)))
                .contains("Left out: 1 block of 14, which lies more than six robust standard deviations from the"
                        + " others.");
        assertThat(en(VerdictSentences.details(verdict)).get(1))
                .startsWith("95 % confidence, from 28 rounds in blocks of two");
    }

    /// Stopping at a result that one likes must not raise the share of wrong verdicts.
    @Test
    void aRunThatWentOnUntilItWasDecidedTakesFourBlocks() throws IOException {
        fixture.untilDecided();
        question("p50");
        rounds(6, 4);
        assertThat(verdict().outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(en(VerdictSentences.details(verdict())))
                .contains("Repeats are too few: 8 rounds are needed, or longer ones.");
    }

    @Test
    void fourBlocksAreEnoughWhereTheRunLookedAtThem() throws IOException {
        fixture.untilDecided();
        question("p50");
        rounds(8, 4);
        assertThat(verdict().outcome()).isEqualTo(Outcome.WORSE);
        assertThat(en(VerdictSentences.details(verdict())).get(1))
                .startsWith("95 % confidence at all looks of the run together (group sequential): 8 rounds in blocks");
    }

    /// A question that has its answer gets no more rounds, and one of its variants may continue for another question.
    @Test
    void roundsAfterTheAnswerAreNotMissing() throws IOException {
        fixture.untilDecided();
        question("p50");
        rounds(8, 4);
        for (int round = 9; round <= 12; round++) {
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round));
        }

        assertThat(verdict().outcome()).isEqualTo(Outcome.WORSE);
        assertThat(verdict().caveats()).isEmpty();
    }

    /// Of a run that was stopped between two looks.
    @Test
    void roundsThatCameAfterTheLastLookTakeNoAnswerAway() throws IOException {
        fixture.untilDecided().looked(4, 0.4).looked(6, 0.7).looked(8, 0.9);
        question("p50");
        rounds(10, 4);

        assertThat(verdict().outcome()).isEqualTo(Outcome.WORSE);
        assertThat(verdict().estimate().rounds()).isEqualTo(8);
        assertThat(verdict().caveats()).isEmpty();
    }

    /// The same eight rounds.
    @Test
    void anEarlyLookSaysLessThanTheLastOne() throws IOException {
        fixture.untilDecided().looked(8, 0.1);
        question("p50");
        rounds(8, 1.3);
        Verdict early = verdict();
        fixture.looked(8, 1);
        Verdict last = verdict();

        assertThat(early.estimate().high() - early.estimate().low())
                .isGreaterThan(3 * (last.estimate().high() - last.estimate().low()));
    }

    /// A look without its time gives no interval, rather than one that is too narrow.
    @Test
    void aLookOfNobodyKnowsWhenIsNone() throws IOException {
        fixture.untilDecided().looked(8, Double.NaN);
        question("p50");
        rounds(8, 4);

        assertThat(verdict().outcome()).isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    void aPilotSaysHowManyRoundsItTakesAndWhatIsOpen() throws IOException {
        fixture.question("?", "", "put", "p50", "sync", "async").question("?", "", "put", "errors", "sync", "async");
        double[] factors = {0.6, 1.7, 3.2, 1.1};
        for (int round = 1; round <= 4; round++) {
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round))
                    .step("async", "put", round, SyntheticLoad.of(factors[round - 1], 70 + round));
        }
        List<PowerEstimate.Forecast> usual = PowerEstimate.of(ResultFolder.read(fixture.write()), FRAMES, Double.NaN);
        List<PowerEstimate.Forecast> finer = PowerEstimate.of(ResultFolder.read(fixture.write()), FRAMES, 0.05);

        assertThat(usual).hasSize(2);
        assertThat(usual.getFirst().open()).isTrue();
        assertThat(usual.getLast().open()).as("nothing failed").isFalse();
        assertThat(usual.getLast().margin()).isEqualTo(finer.getLast().margin()).isEqualTo(0.001);
        assertThat(usual.getFirst().spread()).isBetween(0.5, 1.5);
        assertThat(usual.getFirst().fixedRounds()).isBetween(200L, 2000L);
        assertThat(usual.getFirst().sequentialRounds())
                .isGreaterThan(usual.getFirst().fixedRounds());
        assertThat(finer.getFirst().fixedRounds())
                .isGreaterThan(3 * usual.getFirst().fixedRounds());
        assertThat(usual.get(1).fixedRounds()).isZero();
    }

    /// More rounds bring no server to life, and no request beyond a percentile.
    @Test
    void whatMoreRoundsCannotDecideIsNotOpen() throws IOException {
        fixture.variant("dead")
                .question("?", "", "put", "p50", "sync", "dead")
                .question("?", "", "put", "p99.99", "sync", "async");
        rounds(3, 1.3);
        fixture.step("dead", "put", 1, "failed", "no port");

        assertThat(PowerEstimate.of(ResultFolder.read(fixture.write()), FRAMES, Double.NaN))
                .hasSize(2)
                .noneMatch(PowerEstimate.Forecast::open);
    }

    @Test
    void aVariantThatFailsIsNotBetterHoweverFast() throws IOException {
        question("p50");
        for (int round = 1; round <= 3; round++) {
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round))
                    .step(
                            "async",
                            "put",
                            round,
                            SyntheticLoad.of(0.5, 9 + round).withFailures(0.2, 0));
        }
        Verdict verdict = verdict();

        assertThat(verdict.outcome()).isEqualTo(Outcome.MIXED);
        assertThat(en(VerdictSentences.headline(verdict)))
                .contains("with 2 cores. But async failed 19 % of its requests (sync: 0 %), so it is not better.");
        assertThat(en(VerdictSentences.caveats(verdict)))
                .anyMatch(caveat -> caveat.matches("async failed 19 % of its requests \\([\\d,]+ of 14,400\\).*"))
                .anyMatch(caveat -> caveat.startsWith("Of the requests that got what they asked for, p50 of async is"));
    }

    @Test
    void aSlowerVariantThatFailsSaysSoBesideIt() throws IOException {
        question("p50");
        for (int round = 1; round <= 3; round++) {
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round))
                    .step("async", "put", round, SyntheticLoad.of(2, 9 + round).withFailures(0, 1));
        }
        Verdict verdict = verdict();

        assertThat(verdict.outcome()).isEqualTo(Outcome.WORSE);
        assertThat(en(VerdictSentences.caveats(verdict)))
                .anyMatch(caveat -> caveat.contains("async failed 0.02 % of its requests (3 of"));
    }

    @Test
    void invalidAndPartialRunsAreLeftOutAndNamed() throws IOException {
        question("p50");
        rounds(3, 1.5);
        fixture.step("sync", "put", 4, SyntheticLoad.of(1, 90).withLag(9))
                .step("async", "put", 4, SyntheticLoad.of(40, 91))
                .step("sync", "put", 5, SyntheticLoad.of(40, 92).withPartial("interrupted"))
                .step("async", "put", 5, SyntheticLoad.of(1, 93))
                .step("sync", "put", 6, "failed", "no port")
                .step("async", "put", 6, "planned", "");
        change("sync", 4, "\"busiestThread\": 0.31", "\"busiestThread\": 0.97");
        change("sync", 4, "\"achievedRate\": \\d+", "\"achievedRate\": 300");
        Verdict verdict = verdict();

        assertThat(verdict.outcome()).isEqualTo(Outcome.WORSE);
        assertThat(verdict.estimate()).isNotNull();
        assertThat(verdict.estimate().rounds()).isEqualTo(3);
        assertThat(en(VerdictSentences.caveats(verdict)))
                .anyMatch(one -> one.startsWith("Left out: 04-sync-put is invalid: the generator sent late"))
                .contains(
                        "Left out: 05-sync-put is partial: interrupted",
                        "Left out: 06-sync-put failed: no port",
                        "Left out: 06-async-put was not run.",
                        "Only 3 of 6 rounds can be judged.");
    }

    private void threeRoundsAndALateOne(double lagMillis) throws IOException {
        question("p50");
        rounds(3, 1);
        fixture.step("sync", "put", 4, SyntheticLoad.of(1, 90).withLag(lagMillis))
                .step("async", "put", 4, SyntheticLoad.of(1, 91));
    }

    @Test
    void aLateGeneratorWhoseWarmUpFailedIsLeftOut() throws IOException {
        threeRoundsAndALateOne(9);
        change("sync", 4, "(\"requests\": )0(,\\s*\"answered\": )0(,\\s*\"errors\": )0", "$110$20$39");

        assertThat(verdict().estimate()).isNotNull();
        assertThat(verdict().estimate().rounds()).isEqualTo(3);
    }

    @Test
    void aDoubtfulGeneratorIsSaid() throws IOException {
        threeRoundsAndALateOne(0.9);
        Verdict verdict = verdict();

        assertThat(verdict.estimate()).isNotNull();
        assertThat(verdict.estimate().rounds()).isEqualTo(4);
        assertThat(en(VerdictSentences.caveats(verdict)))
                .anyMatch(one -> one.startsWith("04-sync-put is doubtful: the generator"));
    }

    @Test
    void aVariantWithoutFiguresHasNoVerdictAndAReason() throws IOException {
        question("p99");
        fixture.step("sync", "put", 1, SyntheticLoad.of(1, 1))
                .step("async", "put", 1, "failed", "the server did not start");
        Verdict verdict = verdict();

        assertThat(verdict.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(en(VerdictSentences.headline(verdict)))
                .isEqualTo("No verdict for phase put: there are no figures to judge of async.");
        assertThat(en(VerdictSentences.caveats(verdict)))
                .contains("Left out: 01-async-put failed: the server did not start");
    }

    @Test
    void twoRoundsAreJudgedByTheirStretchesAndSayIt() throws IOException {
        question("p50");
        rounds(2, 1.6);
        Verdict verdict = verdict();

        assertThat(verdict.outcome()).isEqualTo(Outcome.WORSE);
        assertThat(en(VerdictSentences.details(verdict)))
                .anyMatch(one -> one.contains("from stretches of time within 2 rounds only"));
    }

    @Test
    void aPercentileWithHardlyARequestBeyondItIsNotJudged() throws IOException {
        question("p99.99");
        rounds(3, 5);
        Verdict verdict = verdict();

        assertThat(verdict.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(en(VerdictSentences.headline(verdict))).startsWith("Too little to tell async from sync at p99.99");
        assertThat(en(VerdictSentences.details(verdict)))
                .contains("Fewer than 10 requests of a round lie beyond this percentile.");
    }

    @Test
    void twoThingsThatChangeAtOnceAreNamed() throws IOException {
        fixture = new StudyFixture(folder)
                .variant("sync", 16)
                .variant("async", 64)
                .phase("put");
        question("p50");
        rounds(3, 1.5);

        assertThat(en(VerdictSentences.caveats(verdict())))
                .contains("Two things changed at once: sync has 16 connections and async has 64.");
    }

    @Test
    void theProfileNamesWhatTheTimeGoesInto() throws IOException {
        question("p50");
        rounds(3, 1.5);
        fixture.profile("sync", "put").profile("async", "put").difference("sync", "async", "put");
        Verdict verdict = verdict();

        assertThat(en(VerdictSentences.headline(verdict)))
                .startsWith("async is slower than sync at p50 by ")
                .endsWith("with 2 cores. " + QUEUE);
        assertThat(RU.say(VerdictSentences.headline(verdict)))
                .contains("процессорного времени async – очередь исполнителя");
    }

    @Test
    void whatTheProfileSaysExplainsNoDifferenceThatIsNotThere() throws IOException {
        question("p50");
        rounds(6, 1);
        fixture.profile("sync", "put").profile("async", "put").difference("sync", "async", "put");
        Verdict verdict = verdict();

        assertThat(verdict.outcome()).isEqualTo(Outcome.SAME);
        assertThat(en(VerdictSentences.headline(verdict)))
                .startsWith("No difference of 10 % or more")
                .endsWith(", with 2 cores.");
        assertThat(en(VerdictSentences.details(verdict))).contains(QUEUE);
    }

    /// As a comparison of the two variants: the machines differ, and figures of one say nothing of the other.
    @ParameterizedTest
    @CsvSource({
        "p99, 3, 1.5, 1, 2, The published figures differ in the same direction: 1 ms for sync",
        "p99, 3, 1.5, 2, 1, The published figures differ in the opposite direction",
        "p50, 6, 1.0, 1, 9, The published difference was not found here",
        "p50, 6, 1.0, 1, 1.05, The published figures have no difference of 10 % or more either",
        "p99, 3, 1.5, 1, 1.05, The published figures differ by less than 10 %",
        "p99, 1, 1.0, 1, 1.05, 'Published: 1 ms for sync, 1.05 ms for async. This run neither confirms'"
    })
    void publishedFiguresAreComparedByTheirRatio(
            String metric, int count, double factor, double sync, double async, String expected) throws IOException {
        question(metric);
        rounds(count, factor);
        fixture.published("sync", "put", sync, sync, 1).published("async", "put", async, async, 1);

        assertThat(en(VerdictSentences.details(verdict())))
                .anyMatch(one -> one.startsWith(expected))
                .noneMatch(one -> one.contains("apart"));
    }

    /// Whose machine was a hundred times as fast says nothing of ours but by the ratio.
    @Test
    void publishedFiguresOfAnotherOrderSaySo() throws IOException {
        question("p99");
        rounds(3, 1.5);
        fixture.published("sync", "put", 1, 0.01, 1).published("async", "put", 1, 0.02, 1);

        assertThat(en(VerdictSentences.details(verdict())))
                .anyMatch(one -> one.matches("Published and measured figures of one variant are [\\d,]+x apart:.*"));
    }

    /// Published 7.99 and 7.53 ms are no support of rounds that tell nothing.
    @Test
    void noisyRoundsAgreeWithNothing() throws IOException {
        question("p50");
        double[] factors = {0.6, 1.7, 3.2};
        for (int round = 1; round <= 3; round++) {
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round))
                    .step("async", "put", round, SyntheticLoad.of(factors[round - 1], 70 + round));
        }
        fixture.published("sync", "put", 7.99, 1, 1).published("async", "put", 7.53, 1, 1);

        assertThat(verdict().decided().published().agreement()).isEqualTo(Verdict.Agreement.BESIDE);
    }

    @Test
    void aQuestionWithoutPhaseIsAskedInEachAndComparesAllWithTheFirst() throws IOException {
        fixture.variant("third").phase("get").question("?", "", "", "cpu", "sync", "async", "third");
        rounds(3, 1.5);
        List<Verdict> verdicts = Judge.answers(ResultFolder.read(fixture.write()), FRAMES)
                .getFirst()
                .verdicts();

        assertThat(verdicts).hasSize(4);
        assertThat(en(VerdictSentences.headline(verdicts.getFirst()))).contains("CPU per request");
        assertThat(en(VerdictSentences.details(verdicts.getFirst())))
                .anyMatch(one -> one.startsWith("98.8 % confidence"));
        assertThat(verdicts.get(3).outcome()).isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    void whatCannotBeAskedIsSaid() throws IOException {
        fixture.question("?", "", "put", "beauty", "sync", "async").question("?", "", "put", "p99", "sync");
        rounds(1, 1);
        List<Answer> answers = Judge.answers(ResultFolder.read(fixture.write()), FRAMES);

        assertThat(en(VerdictSentences.headline(answers.get(0).verdicts().getFirst())))
                .contains("\"beauty\" is not a figure");
        assertThat(en(VerdictSentences.headline(answers.get(1).verdicts().getFirst())))
                .contains("does not name two variants");
    }

    @Test
    void metricsAreUnderstoodInTheirSpellings() {
        assertThat(Metric.parse("p99.9")).contains(Metric.percentile(99.9));
        assertThat(Metric.parse("")).contains(Metric.percentile(99));
        assertThat(Metric.parse("cpu-per-request").map(Metric::kind)).contains(Metric.Kind.CPU);
        assertThat(Metric.parse("throughput").map(Metric::kind)).contains(Metric.Kind.RATE);
        assertThat(Metric.parse("p100").map(Metric::kind)).contains(Metric.Kind.MAX);
        assertThat(Metric.parse("p1000")).isEmpty();
    }
}
