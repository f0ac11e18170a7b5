package kvant.report.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import kvant.report.Study;
import kvant.report.SyntheticLoad;
import kvant.report.folder.ResultFolder;
import kvant.report.inference.Schedule.Design;
import kvant.report.verdict.Verdict.Basis;
import kvant.report.verdict.Verdict.Caveat;
import kvant.report.verdict.Verdict.Outcome;
import kvant.report.words.Words.Language;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Blocks that something outside of the run disturbed: which are left out, whole, and when none is.
class HostRuleTest extends TwoVariants {

    private static final double BOUND = 0.1;

    /// Of a machine of two processors of which 1.5 work, and 0.9 run the code of the generator and of the server.
    private static final String HOST = "\"host\": {\"processors\": 2, \"busyProcessors\": 1.5, \"ownProcessors\": 0.6,"
            + " \"userProcessors\": %.3f, \"ownUserProcessors\": 0.4, \"stolenShare\": %.3f, \"throttledShare\": %.3f,"
            + " \"looks\": 10, \"disturbed\": 0}";

    private void host(String variant, int round, double stolen, double others, double throttled) throws IOException {
        String host = String.format(Locale.ROOT, HOST, 0.9 + 2 * others, stolen, throttled);
        change(variant, round, "(?s)\"host\": \\{.*?}", host);
    }

    /// Of 1.68 processors that were wanted 0.18: more than the bound, and of the machine it would be less.
    private void stolen(String variant, int round) throws IOException {
        host(variant, round, 0.09, 0, 0);
    }

    /// @param disturbed rounds in which async takes nine times as long
    private void rounds(int count, List<Integer> disturbed) throws IOException {
        question("p50");
        fixture.disturbedAbove(BOUND);
        for (int round = 1; round <= count; round++) {
            double factor = disturbed.contains(round) ? 9 : 1.3;
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round))
                    .step("async", "put", round, SyntheticLoad.of(factor, 70 + round));
            host("sync", round, 0, 0, 0);
            host("async", round, 0, 0, 0);
        }
    }

    private static Caveat.Host leftOut(int n, int of, int stolen, int others) {
        return new Caveat.Host(n, of, stolen, others, BOUND, true);
    }

    private static int judged(Verdict verdict) {
        assertThat(verdict.decided()).isNotNull();
        return verdict.decided().rounds();
    }

    /// The quiet round of the block goes with the disturbed one.
    @Test
    void aBlockInWhichTheHostTookProcessorsIsLeftOutWhole() throws IOException {
        rounds(8, List.of(3));
        stolen("async", 3);
        Verdict verdict = verdict();

        assertThat(verdict.caveats()).containsExactly(leftOut(1, 4, 1, 0));
        assertThat(judged(verdict)).isEqualTo(6);
        assertThat(verdict.outcome()).isEqualTo(Outcome.WORSE);
        assertThat(verdict.estimate().change()).isBetween(0.25, 0.35);
        assertThat(verdict.decisive()).as("a fixed rule is no doubt").isEmpty();
    }

    private String read(String name) throws IOException {
        return Files.readString(folder.resolve(name))
                .replaceAll("\\\\(.)", "$1")
                .replace('\u00a0', ' ');
    }

    @Test
    void whatWasLeftOutIsCountedWithItsReasonInEachReport() throws IOException {
        rounds(8, List.of(3));
        stolen("async", 3);
        Study.report(fixture.write(), Language.list("en,ru"));

        String english =
                "Left out: 1 block of 4, because the host stole more than 10 % of the requested" + " processor time.";
        assertThat(read("report.md")).contains(english);
        assertThat(read("report.html"))
                .contains(
                        english,
                        "ran user code on more than",
                        "leave such blocks out, unless they are more than a third;");
        String russian = "Исключено: 1 блок из 4: гипервизор отнял больше 10 % нужного процессорного времени.";
        assertThat(read("report.ru.md")).contains(russian);
        assertThat(read("report.ru.html")).contains(russian, "таких блоков нет, если их не больше трети;");
        assertThat(read("report.json"))
                .contains("\"disturbedAbovePercent\": 10")
                .containsPattern("\"disturbedBlocks\": \\{\\s*\"n\": 1,\\s*\"of\": 4,\\s*\"stolen\": 1,"
                        + "\\s*\"others\": 0,\\s*\"leftOut\": true")
                .contains("\"heldByGenerator\": false");
    }

    @Test
    void aRunUntilDecidedSaysThatItsFirstBlocksSettleIt() throws IOException {
        fixture.untilDecided();
        rounds(8, List.of());
        Study.report(fixture.write(), Language.list("en,ru"));

        assertThat(read("report.html"))
                .contains("leave such blocks out, unless more than a third of the first 6 are disturbed;");
        assertThat(read("report.ru.html")).contains("таких блоков нет, если среди первых 6 их не больше трети;");
    }

    /// Else a variant would lose the rounds in which it was disturbed, and keep those in which another was.
    @ParameterizedTest
    @ValueSource(strings = {"sync", "async", "bystander"})
    void whichVariantWasMeasuredMeanwhileDoesNotMatter(String variant) throws IOException {
        fixture.variant("bystander");
        rounds(8, List.of());
        fixture.step("bystander", "put", 3, SyntheticLoad.of(1, 50));
        stolen(variant, 3);

        assertThat(verdict().caveats()).containsExactly(leftOut(1, 4, 1, 0));
        assertThat(judged(verdict())).isEqualTo(6);
    }

    @Test
    void anotherPhaseIsMeasuredAtAnotherTime() throws IOException {
        fixture.phase("get");
        rounds(8, List.of());
        fixture.step("async", "get", 3, SyntheticLoad.of(1, 50));
        change("async", "get", 3, "(?s)\"host\": \\{.*?}", String.format(Locale.ROOT, HOST, 0.9, 0.5, 0.0));

        assertThat(verdict().caveats()).isEmpty();
    }

    @Test
    void aBlockInWhichOtherProcessesWorkedIsLeftOut() throws IOException {
        rounds(8, List.of());
        host("sync", 6, 0, 0.12, 0);

        assertThat(verdict().caveats()).containsExactly(leftOut(1, 4, 0, 1));
        assertThat(judged(verdict())).isEqualTo(6);
    }

    /// Server and generator share what their control group may use: who works more is out of it sooner.
    @Test
    void whatTheVariantsCauseIsNoReason() throws IOException {
        rounds(8, List.of());
        host("async", 3, 0, 0.08, 0.5);
        host("async", 5, 0.08, 0, 0); // 0.16 of 1.66 processors that were wanted

        assertThat(verdict().caveats()).isEmpty();
        assertThat(judged(verdict())).isEqualTo(8);
    }

    @Test
    void whereMoreThanAThirdIsDisturbedThatIsWhatTheMachineIsLike() throws IOException {
        rounds(8, List.of());
        stolen("async", 3);
        host("sync", 8, 0.2, 0.3, 0);
        Verdict verdict = verdict();

        assertThat(verdict.caveats()).containsExactly(new Caveat.Host(2, 4, 2, 1, BOUND, false));
        assertThat(judged(verdict)).isEqualTo(8);
        assertThat(verdict.decisive()).isEmpty();
    }

    /// A doubt that can change the answer: without these blocks, it is another one.
    @Test
    void whatWasNotLeftOutMayDecide() throws IOException {
        rounds(8, List.of(3));
        stolen("async", 3);
        stolen("async", 7);
        Verdict verdict = verdict();

        assertThat(verdict.outcome()).isEqualTo(Outcome.UNDERPOWERED);
        assertThat(verdict.decisive()).containsExactly(new Caveat.Host(2, 4, 2, 0, BOUND, false));
    }

    @Test
    void aRunThatWasStoppedInABlockIsJudgedByTheOthers() throws IOException {
        rounds(7, List.of(7));
        stolen("async", 7);
        fixture.step("async", "put", 8, "planned", "").step("sync", "put", 8, "planned", "");

        assertThat(verdict().caveats()).containsExactly(leftOut(1, 4, 1, 0));
        assertThat(judged(verdict())).isEqualTo(6);
    }

    @Test
    void aRunThatWasStoppedInItsFirstStepHasNoVerdict() throws IOException {
        question("p50");
        fixture.disturbedAbove(BOUND)
                .step("sync", "put", 1, SyntheticLoad.of(1, 1).withPartial("stopped"));
        stolen("sync", 1);
        fixture.step("async", "put", 1, "planned", "")
                .step("async", "put", 2, "planned", "")
                .step("sync", "put", 2, "planned", "");

        assertThat(verdict().outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(verdict().host()).as("no block has both").isEmpty();
        Study.report(fixture.write(), Language.list("en,ru"));
    }

    /// Its rounds would be missing ones otherwise, which could have been like any other.
    @Test
    void aStepThatFailedInADisturbedBlockIsNoMissingRound() throws IOException {
        rounds(7, List.of());
        stolen("sync", 7);
        fixture.step("sync", "put", 8, SyntheticLoad.of(1, 8)).step("async", "put", 8, "failed", "no memory");

        assertThat(verdict().caveats()).containsExactly(leftOut(1, 4, 1, 0));
    }

    /// Rounds of one variant alone do not make the only block of the pair one of many, which could be left out.
    @Test
    void blocksWithoutThePairSayNothingOfItsBlocks() throws IOException {
        rounds(2, List.of());
        stolen("async", 1);
        for (int round = 3; round <= 8; round++) {
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round));
        }

        assertThat(verdict().host()).contains(new Caveat.Host(1, 1, 1, 0, BOUND, false));
        assertThat(judged(verdict())).isEqualTo(2);
    }

    /// Its shares are those of a server that was not there for part of the time.
    @Test
    void aStepWhoseServerDiedSaysNothing() throws IOException {
        fixture.variant("bystander");
        rounds(8, List.of());
        fixture.write(
                "runs/" + fixture.id("bystander", "put", 3) + "/load.json",
                SyntheticLoad.of(1, 50).json());
        fixture.step("bystander", "put", 3, "failed", "the server ended under load");
        stolen("bystander", 3);

        assertThat(verdict().caveats()).isEmpty();
        assertThat(judged(verdict())).isEqualTo(8);
    }

    /// Of twelve blocks three are less than a third.
    @Test
    void theFirstSixBlocksSettleForGoodThatNoneIsLeftOut() throws IOException {
        fixture.untilDecided();
        rounds(24, List.of());
        for (int round : List.of(1, 5, 12)) {
            stolen("async", round);
        }

        assertThat(verdict().host()).contains(new Caveat.Host(3, 12, 3, 0, BOUND, false));
        assertThat(judged(verdict())).isEqualTo(24);
    }

    @Test
    void twoOfTheFirstSixAreLeftOut() throws IOException {
        fixture.untilDecided();
        rounds(12, List.of());
        stolen("async", 1);
        stolen("sync", 4);

        assertThat(verdict().host()).contains(leftOut(2, 6, 2, 0));
        assertThat(judged(verdict())).isEqualTo(8);
    }

    /// Four rounds are as many as four blocks where each has both orders of the variants.
    @Test
    void aRunOfInterleavedRoundsIsJudgedByEachOfThem() throws IOException {
        fixture.untilDecided().interleaved();
        rounds(4, List.of());

        assertThat(verdict().decided().basis()).isEqualTo(Basis.INTERLEAVED);
        assertThat(verdict().outcome()).isEqualTo(Outcome.WORSE);
        Study.report(fixture.write(), Language.list("en,ru"));
        assertThat(read("report.html"))
                .contains(
                        "(group sequential): 4 rounds, in each of which",
                        "more than a third of the first 3 are disturbed;");
        assertThat(read("report.ru.html")).contains("в прямом и обратном порядке (раундов: 4)");
    }

    @Test
    void theFirstThreeBlocksOfInterleavedRoundsSettleIt() throws IOException {
        fixture.untilDecided().interleaved();
        rounds(6, List.of(3));
        stolen("async", 3);
        assertThat(verdict().host()).contains(leftOut(1, 3, 1, 0));
        assertThat(judged(verdict())).isEqualTo(4);

        stolen("sync", 6);
        assertThat(verdict().host()).contains(new Caveat.Host(2, 3, 2, 0, BOUND, false));
    }

    @Test
    void aRunWithoutTheRuleIsJudgedWhole() throws IOException {
        rounds(8, List.of());
        stolen("async", 3);
        fixture.disturbedAbove(Double.NaN);

        assertThat(verdict().caveats()).isEmpty();
        assertThat(judged(verdict())).isEqualTo(8);
    }

    @Test
    void aMachineThatSaysNothingIsNotDisturbed() throws IOException {
        question("p50");
        fixture.disturbedAbove(BOUND);
        for (int round = 1; round <= 4; round++) {
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round))
                    .step("async", "put", round, SyntheticLoad.of(1.3, 70 + round));
        }

        assertThat(verdict().caveats()).isEmpty();
    }

    /// Four blocks are needed for an interval: the one that was left out is replaced by another.
    @Test
    void aRunUntilDecidedGoesOnForABlockThatWasLeftOut() throws IOException {
        fixture.untilDecided();
        rounds(8, List.of(3));
        stolen("async", 3);

        assertThat(verdict().outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(PowerEstimate.of(ResultFolder.read(fixture.write()), FRAMES, Double.NaN))
                .singleElement()
                .matches(PowerEstimate.Forecast::open);

        for (int round = 9; round <= 10; round++) {
            fixture.step("sync", "put", round, SyntheticLoad.of(1, round))
                    .step("async", "put", round, SyntheticLoad.of(1.3, 70 + round));
        }
        assertThat(verdict().outcome()).isEqualTo(Outcome.WORSE);
        assertThat(verdict().caveats()).containsExactly(leftOut(1, 5, 1, 0));
        assertThat(verdict().decided().basis()).isEqualTo(Basis.SEQUENCE);
    }

    /// Which blocks an interval rests on, of the first ones that are there.
    private static List<Integer> judged(List<Boolean> disturbed, Design design) {
        boolean leavesOut = HostRule.leavesOut(disturbed, design);
        List<Integer> judged = new ArrayList<>();
        for (int i = 0; i < disturbed.size(); i++) {
            if (!leavesOut || !disturbed.get(i)) {
                judged.add(i);
            }
        }
        return judged;
    }

    /// The looks of a run are at a single sequence of blocks: one that an interval rested on stays, and one that
    /// it left out stays out, whatever comes later. Every run of twelve blocks that can be.
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FIXED")
    void aRunThatLooksAgainNeverChangesItsChoice(Design design) {
        for (int bits = 0; bits < 1 << 12; bits++) {
            int run = bits;
            List<Boolean> all = IntStream.range(0, 12)
                    .mapToObj(block -> (run >> block & 1) == 1)
                    .toList();
            List<Integer> before = List.of();
            for (int blocks = 1; blocks <= 12; blocks++) {
                int seen = blocks;
                List<Integer> now = judged(all.subList(0, blocks), design);
                if (before.size() >= design.leastBlocks()) {
                    assertThat(now.stream().filter(block -> block < seen - 1).toList())
                            .as("%s after %d blocks", all, blocks)
                            .isEqualTo(before);
                }
                before = now;
            }
        }
    }

    @Test
    void aRunOfAFixedLengthIsChosenByAllOfItsBlocks() {
        List<Boolean> late = List.of(false, false, false, false, false, false, true, true, true, true);

        assertThat(HostRule.leavesOut(late, Design.FIXED)).isFalse();
        assertThat(HostRule.leavesOut(late, Design.SEQUENTIAL)).isTrue();
        assertThat(HostRule.leavesOut(List.of(true, false, false), Design.FIXED))
                .isTrue();
        assertThat(HostRule.leavesOut(List.of(true), Design.SEQUENTIAL)).isFalse();
    }
}
