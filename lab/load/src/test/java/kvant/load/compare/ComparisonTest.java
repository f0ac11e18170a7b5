package kvant.load.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import kvant.load.compare.Difference.Verdict;
import kvant.load.http.Target;
import kvant.load.keys.ValueSizes;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.result.Asked;
import kvant.load.workload.Mix;
import kvant.load.workload.Workload;
import kvant.text.UserException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ComparisonTest {

    private static final int BLOCKS = 20;
    private static final int PER_BLOCK = 2000;

    /// A run whose latencies are log-normal, and whose windows differ more than chance alone makes them.
    private static Sample sample(Random random, double factor, double rate) {
        return sample(random, factor, rate, BLOCKS, PER_BLOCK);
    }

    private static Sample sample(Random random, double factor, double rate, int blocks, int perBlock) {
        List<Histogram> units = new ArrayList<>();
        List<Double> rates = new ArrayList<>();
        for (int block = 0; block < blocks; block++) {
            Histogram unit = new Histogram(3);
            double mood = Math.exp(0.05 * random.nextGaussian());
            for (int i = 0; i < perBlock; i++) {
                unit.recordValue((long) (1e6 * factor * mood * Math.exp(0.5 * random.nextGaussian())));
            }
            units.add(unit);
            rates.add(rate * (1 + 0.01 * random.nextGaussian()));
        }
        return new Sample("s", units, rates, 1, failures(blocks, perBlock, 0), Conditions.NONE, List.of(), List.of());
    }

    /// So many in each of the first blocks, none in the others.
    private static List<FailureDifference.Unit> failures(int blocks, int perBlock, int... failed) {
        List<FailureDifference.Unit> units = new ArrayList<>();
        for (int block = 0; block < blocks; block++) {
            units.add(new FailureDifference.Unit(block < failed.length ? failed[block] : 0, perBlock));
        }
        return units;
    }

    private static Sample failing(
            Sample some, String name, List<FailureDifference.Unit> failures, List<String> doubts) {
        return new Sample(name, some.units(), some.rates(), 1, failures, Conditions.NONE, List.of(), doubts);
    }

    private static Verdict verdict(Comparison comparison, String figure) {
        return comparison.differences().stream()
                .filter(one -> one.figure().equals(figure))
                .findFirst()
                .orElseThrow()
                .verdict();
    }

    @Test
    @Tag("full") // hundreds of simulated comparisons
    void twoRunsOfTheSameAreNoDifferentAsOftenAsTheConfidenceSays() {
        Random random = new Random(42);
        int wrong = 0;
        for (int i = 0; i < 100; i++) {
            Comparison comparison =
                    Comparison.of(sample(random, 1, 1000, 12, 500), sample(random, 1, 1000, 12, 500), 0.95);
            wrong += comparison.verdict().startsWith("B is ") ? 1 : 0;
        }

        assertThat(wrong).as("false alarms in 100 pairs").isLessThanOrEqualTo(8);
    }

    @Test
    void aSlowerRunIsWorseAndAFasterOneBetter() {
        Random random = new Random(1);
        Comparison slower = Comparison.of(sample(random, 1, 1000), sample(random, 1.3, 900), 0.95);
        assertThat(verdict(slower, "p50")).isEqualTo(Verdict.WORSE);
        assertThat(verdict(slower, "p99")).isEqualTo(Verdict.WORSE);
        assertThat(verdict(slower, "requests/s")).isEqualTo(Verdict.WORSE);
        assertThat(slower.verdict()).startsWith("B is worse: requests/s lower by ");

        Comparison faster = Comparison.of(sample(random, 1.3, 900), sample(random, 1, 1000), 0.95);
        assertThat(verdict(faster, "p99")).isEqualTo(Verdict.BETTER);
        assertThat(faster.verdict()).startsWith("B is better: ");
    }

    @Test
    @Tag("full") // hundreds of simulated comparisons
    void theIntervalHoldsTheTruth() {
        Random random = new Random(8);
        int held = 0;
        for (int i = 0; i < 50; i++) {
            Comparison comparison =
                    Comparison.of(sample(random, 1, 1000, 15, 500), sample(random, 1.2, 1000, 15, 500), 0.95);
            Difference median = comparison.differences().get(2);
            assertThat(median.figure()).isEqualTo("p50");
            held += median.low() <= 0.2 && median.high() >= 0.2 ? 1 : 0;
        }

        assertThat(held).isGreaterThanOrEqualTo(46);
    }

    @Test
    void aTailOfTooFewRequestsIsNotJudged() {
        Random random = new Random(2);
        Comparison comparison = Comparison.of(sample(random, 1, 1000, 10, 100), sample(random, 5, 1000, 10, 100), 0.95);

        assertThat(verdict(comparison, "p99")).isEqualTo(Verdict.WORSE);
        assertThat(verdict(comparison, "p99.9")).isEqualTo(Verdict.TOO_FEW);
        assertThat(Comparison.of(sample(random, 1, 1000, 3, 100), sample(random, 5, 1000, 3, 100), 0.95)
                        .verdict())
                .startsWith("Too little to compare");
    }

    @Test
    void moreFailuresAreWorseHoweverFast() {
        Random random = new Random(3);
        Sample a = sample(random, 1, 1000);
        Sample faster = sample(random, 0.5, 1000);
        int[] everywhere =
                IntStream.range(0, BLOCKS).map(block -> 20 + block % 3).toArray();
        Sample b = failing(faster, "b", failures(BLOCKS, PER_BLOCK, everywhere), List.of("partial: gone"));
        Comparison comparison = Comparison.of(a, b, 0.95);

        assertThat(comparison.verdict())
                .startsWith("B is better in some and worse in other")
                .contains("more requests failed")
                .endsWith("Not every run is beyond doubt: see the notes.");
        assertThat(comparison.warnings()).containsExactly("B: partial: gone");
        assertThat(Comparison.of(failing(faster, "b", b.failures(), List.of()), a, 0.95)
                        .verdict())
                .contains("fewer requests failed");
    }

    private static Verdict verdict(List<FailureDifference.Unit> a, List<FailureDifference.Unit> b) {
        return FailureDifference.of(a, b, 0.95, 2).verdict();
    }

    /// As many failures as above, of one stretch: what made them may have hit either side. B is not simply better for
    /// that.
    @Test
    void failuresThatCannotBeToldApartAreNotPassedOver() {
        Sample a = sample(new Random(3), 1, 1000);
        Sample b = failing(sample(new Random(4), 0.5, 1000), "b", failures(BLOCKS, PER_BLOCK, 420), List.of());
        Comparison comparison = Comparison.of(a, b, 0.95);

        assertThat(comparison.failures().b()).isCloseTo(420.0 / (BLOCKS * PER_BLOCK), within(1e-9));
        assertThat(comparison.failures().verdict()).isEqualTo(Verdict.UNDERPOWERED);
        assertThat(comparison.verdict())
                .startsWith("B is better: ")
                .contains("Whether B fails more requests is open: 0.0000 % of A and 1.0500 % of B failed, and B")
                .endsWith(" more.");
    }

    @Test
    void threeRunsThatAllFailMoreAreOpenByTheirSpread() {
        assertThat(verdict(failures(3, 10_000), failures(3, 10_000, 400, 500, 600)))
                .isEqualTo(Verdict.WORSE);
        FailureDifference few =
                FailureDifference.of(failures(3, 10_000), failures(3, 10_000, 400, 500, 600), 1 - 0.05 / 8, 3);

        assertThat(few.isOpen()).isTrue();
        assertThat(few.high()).isCloseTo(0.1227, within(1e-3));
    }

    /// One in each stretch spreads by nothing, and is no more than chance makes of few.
    @Test
    void fewFailuresAreNoDifferenceHoweverEvenTheyAre() {
        assertThat(verdict(failures(5, 200), failures(5, 200, 1, 1, 1, 1, 1))).isEqualTo(Verdict.UNDERPOWERED);
        assertThat(verdict(failures(5, 200), failures(5, 200, 90, 91, 90, 92, 90)))
                .isEqualTo(Verdict.WORSE);
        assertThat(verdict(failures(5, 200, 90, 91, 90, 92, 90), failures(5, 200)))
                .isEqualTo(Verdict.BETTER);
    }

    /// None of 500 is one of 135 at most, with this confidence, for either side; of a million it is nearly nothing.
    @Test
    void whereNothingFailedTheCountsSayHowSureThatIs() {
        FailureDifference few = FailureDifference.of(failures(5, 100), failures(5, 100), 0.95, 5);

        assertThat(few.high()).isCloseTo(1 - Math.pow(0.0125, 1 / 500.0), within(1e-9));
        assertThat(few.verdict()).isEqualTo(Verdict.UNDERPOWERED);
        assertThat(few.isOpen()).as("nothing failed: there is nothing to say").isFalse();
        assertThat(verdict(failures(5, 200_000), failures(5, 200_000))).isEqualTo(Verdict.SAME);
    }

    @Test
    void failuresOfTooFewStretchesAreNotTold() {
        Sample a = sample(new Random(3), 1, 1000, 4, 200);
        Sample b = failing(a, "b", failures(4, 200, 90, 91, 90, 92), List.of());
        Comparison comparison = Comparison.of(a, b, 0.95);

        assertThat(comparison.failures().verdict()).isEqualTo(Verdict.TOO_FEW);
        assertThat(comparison.verdict()).endsWith("too few stretches to tell.");
    }

    @Test
    @Tag("full") // hundreds of simulated comparisons
    void sharesThatDoNotDifferAreSeldomToldApart() {
        Random random = new Random(11);
        int wrong = 0;
        for (int pair = 0; pair < 400; pair++) {
            Verdict verdict = verdict(bursts(random), bursts(random));
            wrong += verdict == Verdict.WORSE || verdict == Verdict.BETTER ? 1 : 0;
        }

        assertThat(wrong).as("told apart, of 400 pairs").isLessThanOrEqualTo(28);
    }

    /// Half of the stretches have a burst.
    private static List<FailureDifference.Unit> bursts(Random random) {
        List<FailureDifference.Unit> units = new ArrayList<>();
        for (int block = 0; block < BLOCKS; block++) {
            units.add(new FailureDifference.Unit(random.nextBoolean() ? random.nextInt(200) : 0, PER_BLOCK));
        }
        return units;
    }

    private static Asked asked(Workload workload, String url, Pace pace) {
        return Asked.of(LoadPlan.of(Target.parse(url), workload, Clients.defaults(), pace));
    }

    private static Sample of(String name, Asked asked) {
        Sample some = sample(new Random(5), 1, 1000);
        Conditions conditions = Conditions.of(asked);
        return new Sample(name, some.units(), some.rates(), 1, some.failures(), conditions, List.of(), List.of());
    }

    private static void assertRefused(Asked a, Asked b, String why) {
        assertThatThrownBy(() -> Comparison.of(of("a.json", a), of("b.json", b), 0.95))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("cannot compare a.json with b.json: A and B were not asked the same, ")
                .hasMessageContaining(why);
        assertThat(Sample.joined("side", List.of(of("a.json", a), of("b.json", b)))
                        .obstacles())
                .singleElement()
                .asString()
                .startsWith("b.json was not asked the same as a.json: ")
                .contains(why);
    }

    @Test
    void runsOfDifferentRequestsAreNotCompared() {
        String url = "http://127.0.0.1:8080";
        Pace pace = Pace.open(1000, Duration.ofSeconds(10));
        Workload gets = Workload.named("get");
        Asked asked = asked(gets, url, pace);
        assertRefused(
                asked, asked(gets.with(w -> w.values = ValueSizes.parse("4KiB")), url, pace), "values: 100 bytes");
        assertRefused(asked, asked(gets.with(w -> w.keys = 5), url, pace), "keys: 1000000 uniform against 5 uniform");
        assertRefused(asked, asked(gets.with(w -> w.hits = 0.5), url, pace), "hits: 1 against 0.5");
        assertRefused(
                asked,
                asked(gets.with(w -> w.mix = Mix.gets(0.5, mix -> mix.update = 0.5)), url, pace),
                "operations: 1 get against 0.5 get 0.5 update");
        assertRefused(
                asked, asked(gets, url, Pace.open(2000, pace.duration())), "a rate: 1000/s uniform against 2000/s");
        assertRefused(asked, asked(gets, url, Pace.closed(pace.duration())), "against none, a closed loop");
        Asked plain = asked(Workload.plain("GET"), url + "/livez", pace);
        assertRefused(plain, asked(Workload.plain("GET"), url + "/metrics", pace), "a path: /livez against /metrics");
        Workload scans = Workload.named("scan");
        assertRefused(
                asked(scans, url, pace),
                asked(scans.with(w -> w.mostScanned = 10), url, pace),
                "a scan: 1 to 100 records against 1 to 10 records");
        assertRefused(plain, asked(Workload.plain("POST"), url + "/livez", pace), "a request: GET against POST");
    }

    @Test
    void otherClientsAndServersAreCompared() {
        Pace pace = Pace.open(1000, Duration.ofSeconds(10));
        Workload gets = Workload.named("get");
        LoadPlan plan = LoadPlan.of(Target.parse("http://a:1"), gets, Clients.defaults(), pace);
        Sample other = of("b.json", Asked.of(plan.with(p -> {
            p.target = Target.parse("http://b:2/kv");
            p.clients = p.clients.withConnections(8);
            p.seed = 9;
        })));
        Comparison comparison = Comparison.of(of("a.json", Asked.of(plan)), other, 0.95);

        assertThat(comparison.warnings()).containsExactly("a path: / against /kv", "connections: 64 against 8");
        assertThat(comparison.verdict()).endsWith("A and B were not asked the same: see the notes.");
    }

    @Test
    void anInvalidRunIsNotCompared() {
        Sample valid = sample(new Random(6), 1, 1000);
        Sample invalid = new Sample(
                "b",
                valid.units(),
                valid.rates(),
                1,
                valid.failures(),
                Conditions.NONE,
                List.of("b is invalid: no request was answered"),
                List.of());
        assertThatThrownBy(() -> Comparison.of(valid, Sample.joined("b, c", List.of(invalid, valid)), 0.95))
                .isInstanceOf(UserException.class)
                .hasMessage("cannot compare s with b, c: b is invalid: no request was answered");
    }

    @Test
    void severalRunsAreDrawnFromAsWholes() {
        Random random = new Random(4);
        List<Sample> quiet = new ArrayList<>();
        List<Sample> other = new ArrayList<>();
        for (int run = 0; run < 5; run++) {
            // Runs differ by 30 % from each other, windows of one run hardly do.
            quiet.add(sample(random, Math.exp(0.3 * random.nextGaussian()), 1000));
            other.add(sample(random, 1.1 * Math.exp(0.3 * random.nextGaussian()), 1000));
        }
        Comparison comparison = Comparison.of(Sample.joined("a", quiet), Sample.joined("b", other), 0.95);

        assertThat(comparison.a().units()).hasSize(5);
        assertThat(verdict(comparison, "p50")).isEqualTo(Verdict.UNDERPOWERED);
    }

    @Test
    void aDifferenceThatMattersIsRuledOutWhereTheIntervalLiesWithinTheMargin() {
        Sample same = sample(new Random(7), 1, 1000);
        Comparison comparison = Comparison.of(same, same, 0.95);

        assertThat(verdict(comparison, "p50")).isEqualTo(Verdict.SAME);
        assertThat(verdict(comparison, "p99.99")).isEqualTo(Verdict.TOO_FEW);
        assertThat(comparison.verdict())
                .startsWith("No difference of 10 % or more in requests/s, mean, p50, p90")
                .doesNotContain("p99.99")
                .endsWith(" (95 % confidence).");
    }

    /// Runs of a side differ by factors: they say nothing of a tenth, and "no difference" would be read as "equal".
    @Test
    void whatAWideIntervalCouldHideIsSaid() {
        double[] moods = {0.4, 1.1, 2.1, 0.55, 0.7};
        List<Sample> runs = new ArrayList<>();
        for (double mood : moods) {
            runs.add(sample(new Random(9), mood, 1000));
        }
        Sample side = Sample.joined("a", runs);
        Comparison comparison = Comparison.of(side, side, 0.95);
        double hidden = comparison.differences().stream()
                .filter(one -> one.verdict() == Verdict.UNDERPOWERED)
                .mapToDouble(Difference::hidden)
                .max()
                .orElseThrow();

        assertThat(hidden).isGreaterThan(3);
        assertThat(verdict(comparison, "requests/s")).isEqualTo(Verdict.SAME);
        assertThat(comparison.verdict())
                .startsWith("No difference of 10 % or more in requests/s; underpowered in mean, p50, p90, p99, p99.9")
                .endsWith(String.format(
                        Locale.ROOT,
                        ": a difference below x%.1f could not be seen (95 %% confidence).",
                        Math.ceil(10 * hidden) / 10));
    }

    /// B may be twice as fast, and at most a tenth slower.
    @Test
    void whatGoesUnseenIsTheFartherEndOfTheInterval() {
        assertThat(new Difference("p99", 2, 1.5, -0.25, -0.5, 0.1, Verdict.UNDERPOWERED).hidden())
                .isEqualTo(2);
        assertThat(new Difference("p99", 2, 3, 0.5, 0, 1.2, Verdict.UNDERPOWERED).hidden())
                .isEqualTo(2.2);
    }

    @Test
    void theDistributionOfStudentIsThatOfTheTables() {
        assertThat(Student.halfWidth(0.95, 1)).isCloseTo(12.7062, within(1e-3));
        assertThat(Student.halfWidth(0.95, 2)).isCloseTo(4.3027, within(1e-3));
        assertThat(Student.halfWidth(0.95, 9)).isCloseTo(2.2622, within(1e-3));
        assertThat(Student.halfWidth(0.99, 10)).isCloseTo(3.1693, within(1e-3));
        assertThat(Student.halfWidth(0.99, 59)).isCloseTo(2.6618, within(1e-3));
    }
}
