package kvant.report.sentence;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvant.load.record.Percentiles;
import kvant.report.verdict.Estimate;
import kvant.report.verdict.Frames.Concept;
import kvant.report.verdict.Metric;
import kvant.report.verdict.ShareDifference;
import kvant.report.verdict.Verdict;
import kvant.report.verdict.Verdict.Basis;
import kvant.report.verdict.Verdict.Caveat;
import kvant.report.verdict.Verdict.CpuDifference;
import kvant.report.verdict.Verdict.Decided;
import kvant.report.verdict.Verdict.Outcome;
import kvant.report.verdict.Verdict.PublishedFigures;
import kvant.report.verdict.Verdict.Unjudged;
import kvant.report.words.Phrase;
import kvant.report.words.Phrase.Value;
import org.jspecify.annotations.Nullable;

/// The texts of a verdict: its sentence, its basis, and its caveats.
public final class VerdictSentences {

    /// Factor between published and measured figures from which the report notes the discrepancy.
    private static final double APART = 10;

    /// From this ratio on, a factor is easier to read than a percentage.
    private static final double TIMES = 2;

    /// Maximum ratio of the distances of both ends of an interval at which they are written as one number.
    private static final double LOPSIDED = 1.25;

    /// From this factor on no decimals are written.
    private static final double WHOLE = 99.95;

    /// A larger end of an interval is written as "more than" this.
    private static final double FARTHEST_FACTOR = 1000;

    private VerdictSentences() {}

    public static Phrase headline(Verdict verdict) {
        @Nullable Decided decided = verdict.decided();
        if (decided == null) {
            return unjudged(Objects.requireNonNull(verdict.unjudged()), verdict);
        }
        Optional<Caveat.HeldByGenerator> held = verdict.heldByGenerator();
        Phrase claim = withCores(claim(verdict, decided, held.isEmpty()), decided.cores());
        if (verdict.outcome() == Outcome.MIXED) {
            claim = mixed(claim, verdict, decided);
        }
        if (held.isPresent()) {
            return Phrase.of("verdict.held")
                    .with("claim", claim)
                    .with("measured", claim(verdict, decided, held.get().measured(), true));
        }
        CpuDifference cpu = decided.cpu();
        return cpu != null && verdict.outcome().isDifference()
                ? Phrase.of("verdict.explained", "claim", claim, "by", cpu(cpu))
                : claim;
    }

    /// @param noisy whether it is undecided because rounds vary
    private static Phrase claim(Verdict verdict, Decided decided, boolean noisy) {
        ShareDifference failures = decided.failures();
        if (failures != null) {
            return headlineOf(failures, verdict.a(), verdict.b(), decided.margin());
        }
        return verdict.outcome() == Outcome.UNKNOWN
                ? tooFew(decided.metric(), verdict.a(), verdict.b())
                : claim(verdict, decided, Objects.requireNonNull(decided.estimate()), noisy);
    }

    private static Phrase claim(Verdict verdict, Decided decided, Estimate estimate, boolean noisy) {
        return headlineOf(decided.metric(), estimate, verdict.a(), verdict.b(), decided.margin(), noisy);
    }

    /// For a mixed outcome, the variant with more failures is the better one by the figure.
    private static Phrase mixed(Phrase claim, Verdict verdict, Decided decided) {
        boolean ofB = verdict.failsMore();
        return Phrase.of("verdict.mixed")
                .with("claim", claim)
                .with("more", ofB ? verdict.b() : verdict.a())
                .with("shareMore", Value.percent(ofB ? decided.shareB() : decided.shareA()))
                .with("less", ofB ? verdict.a() : verdict.b())
                .with("shareLess", Value.percent(ofB ? decided.shareA() : decided.shareB()));
    }

    /// A short label for B, which claims no more than the interval supports.
    public static Phrase badge(Verdict verdict) {
        ShareDifference failures = verdict.failures();
        return switch (verdict.outcome()) {
            case BETTER -> Phrase.of("outcome.better");
            case WORSE -> Phrase.of("outcome.worse");
            case MIXED -> Phrase.of(verdict.failsMore() ? "outcome.mixed" : "outcome.mixedLess");
            case SAME -> noDifference(verdict);
            case UNDERPOWERED -> {
                boolean few = failures != null && failures.byCounts();
                boolean held = verdict.heldByGenerator().isPresent();
                yield Phrase.of(few ? "outcome.fewRequests" : held ? "outcome.held" : "outcome.noisy");
            }
            case UNKNOWN -> Phrase.of("outcome.unknown");
        };
    }

    private static Phrase noDifference(Verdict verdict) {
        double margin = Objects.requireNonNull(verdict.decided()).margin();
        return verdict.failures() == null
                ? Phrase.of("outcome.same", "margin", new Value.Margin(margin))
                : Phrase.of("outcome.sameShare", "margin", Value.percent(margin));
    }

    private static Phrase withCores(Phrase claim, int cores) {
        return cores > 0
                ? Phrase.of("verdict.withCores", "claim", claim, "n", cores)
                : Phrase.of("verdict.plain", "claim", claim);
    }

    private static Phrase unjudged(Unjudged why, Verdict verdict) {
        String key = switch (why) {
            case Unjudged.UnknownMetric _ -> "verdict.unknownMetric";
            case Unjudged.NothingToCompare _ -> "verdict.nothingToCompare";
            case Unjudged.NoFigures _ -> "verdict.absent";
            case Unjudged.NeverTogether _ -> "verdict.neverTogether";
            case Unjudged.NotMeasured _ -> "verdict.notMeasured";
        };
        return of(key, (Record) why, verdict).with("phase", verdict.phase());
    }

    /// A message with the components of a record, and the two variants, as arguments by name.
    private static Phrase of(String key, Record of, Verdict verdict) {
        return Remarks.phrase(key, of).with("a", verdict.a()).with("b", verdict.b());
    }

    /// `FEW_ROUNDS` as `fewRounds`.
    private static String key(Enum<?> constant) {
        String[] words = constant.name().toLowerCase(Locale.ROOT).split("_");
        return Stream.of(words)
                .skip(1)
                .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
                .collect(Collectors.joining("", words[0], ""));
    }

    /// The basis of the verdict.
    public static List<Phrase> details(Verdict verdict) {
        List<Phrase> details = new ArrayList<>();
        Decided decided = verdict.decided();
        if (decided == null) {
            return details;
        }
        Estimate estimate = decided.estimate();
        if (estimate != null) {
            details.add(figures(verdict, decided.metric(), estimate));
        }
        details.add(basis(decided));
        ShareDifference failures = decided.failures();
        if (failures != null && failures.isTold()) {
            details.add(Phrase.of("detail.shares"));
        }
        PublishedFigures published = decided.published();
        if (published != null) {
            details.add(published(verdict, decided, published));
            if (published.apart() >= APART) {
                details.add(Phrase.of("published.apart", "n", Math.round(published.apart())));
            }
        }
        CpuDifference cpu = decided.cpu();
        if (cpu != null && !verdict.outcome().isDifference()) {
            details.add(cpu(cpu)); // there is nothing to explain
        }
        return details;
    }

    /// The reason why there is no verdict.
    public static Phrase reason(Verdict verdict) {
        @Nullable Decided decided = verdict.decided();
        boolean judged = decided != null && verdict.outcome() != Outcome.UNDERPOWERED;
        return judged ? basis(Objects.requireNonNull(decided)) : headline(verdict);
    }

    private static Phrase figures(Verdict verdict, Metric metric, Estimate estimate) {
        return Phrase.of(estimate.judgedRounds() > 1 ? "detail.figures" : "detail.figure")
                .with("metric", nameOf(metric))
                .with("a", verdict.a())
                .with("b", verdict.b())
                .with("valueA", valueOf(metric, estimate.a()))
                .with("valueB", valueOf(metric, estimate.b()))
                .counted(estimate.judgedRounds());
    }

    private static Phrase basis(Decided decided) {
        double percent = 100 * decided.confidence();
        boolean whole = Math.abs(percent - Math.rint(percent)) < 1e-9;
        Value confidence = new Value.Percent(decided.confidence(), whole ? 0 : 1);
        boolean differences = decided.basis() == Basis.ROUNDS && decided.failures() != null;
        long n = switch (decided.basis()) {
            case FEW_REQUESTS -> Percentiles.LEAST_BEYOND;
            case FEW_ROUNDS -> decided.leastRounds();
            default -> decided.rounds();
        };
        return Phrase.of(differences ? "detail.differences" : "detail." + key(decided.basis()))
                .with("confidence", confidence)
                .counted(n);
    }

    private static Phrase published(Verdict verdict, Decided decided, PublishedFigures published) {
        return of("published." + key(published.agreement()), published, verdict)
                .with("margin", new Value.Margin(decided.margin()));
    }

    private static Phrase cpu(CpuDifference cpu) {
        Concept concept = cpu.concept();
        return Phrase.of("detail.cpu")
                .with("variant", cpu.variant())
                .with("other", cpu.other())
                .with("share", Value.percent(cpu.share()))
                .with("otherShare", Value.percent(cpu.otherShare()))
                .with(
                        "what",
                        concept == null
                                ? Phrase.of(
                                        "concept.frame", "frame", cpu.frame().frame())
                                : Phrase.of("concept." + concept.name()));
    }

    /// All caveats.
    public static List<Phrase> caveats(Verdict verdict) {
        return verdict.caveats().stream().map(one -> caveat(one, verdict)).toList();
    }

    /// The caveats that could change the verdict.
    public static List<Phrase> decisive(Verdict verdict) {
        return verdict.decisive().stream().map(one -> caveat(one, verdict)).toList();
    }

    private static Phrase caveat(Caveat caveat, Verdict verdict) {
        String key = switch (caveat) {
            case Caveat.LeftOut one -> "trouble." + key(one.cause());
            case Caveat.Invalid _ -> "trouble.invalid";
            case Caveat.Doubtful _ -> "caveat.doubtful";
            case Caveat.Unstable _ -> "caveat.unstable";
            case Caveat.Taken _ -> "caveat.taken";
            case Caveat.Host one -> one.leftOut() ? "trouble.host" : "caveat.host";
            case Caveat.HeldByGenerator _ -> "caveat.held";
            case Caveat.Disturbed one -> one.blocks() ? "trouble.disturbedBlocks" : "trouble.disturbedRounds";
            case Caveat.Alone _ -> "trouble.alone";
            case Caveat.FewerRounds _ -> "caveat.rounds";
            case Caveat.FailedRequests _ -> "caveat.errors";
            case Caveat.AcceptedAlone _ -> "caveat.accepted";
            case Caveat.UnlikeConnections _ -> "caveat.connections";
        };
        Phrase phrase = of(key, (Record) caveat, verdict);
        return caveat instanceof Caveat.Host host ? phrase.with("why", why(host)) : phrase;
    }

    /// The handling of disturbed blocks, with the cause.
    public static Phrase host(Caveat.Host one) {
        return Remarks.phrase(one.leftOut() ? "trouble.host" : "caveat.host", one)
                .with("why", why(one));
    }

    private static Phrase why(Caveat.Host one) {
        String key = one.others() == 0 ? "host.why.stolen" : one.stolen() == 0 ? "host.why.others" : "host.why.both";
        return Remarks.phrase(key, one);
    }

    private static Phrase tooFew(Metric metric, String a, String b) {
        return headlineOf("verdict.tooFew", metric, a, b);
    }

    private static Phrase headlineOf(String key, Metric metric, String a, String b) {
        return Phrase.of(key, "a", a, "b", b, "metric", nameOf(metric));
    }

    /// @param margin smallest relevant difference, as a share
    /// @param noisy whether it is undecided because rounds vary
    static Phrase headlineOf(Metric metric, Estimate estimate, String a, String b, double margin, boolean noisy) {
        String family = family(metric);
        int direction = estimate.direction();
        if (direction == 0) {
            return none(estimate, margin, noisy)
                    .with("a", a)
                    .with("b", b)
                    .with("metric", nameOf(metric))
                    .with("low", new Value.Change(estimate.low(), decimals(estimate)))
                    .with("high", new Value.Change(estimate.high(), decimals(estimate)));
        }
        double factor = direction > 0 ? 1 + estimate.change() : 1 / (1 + estimate.change());
        String more = direction > 0 ? "more" : "less";
        if (factor < TIMES) {
            return headlineOf("verdict." + family + "." + more, metric, a, b).with("change", changeOf(estimate));
        }
        double one = direction > 0 ? 1 + estimate.low() : 1 / (1 + estimate.high());
        double other = direction > 0 ? 1 + estimate.high() : 1 / (1 + estimate.low());
        return headlineOf("verdict." + family + ".times." + more, metric, a, b)
                .with("factor", times(factor))
                .with("low", Value.number(one))
                .with(
                        "high",
                        other > FARTHEST_FACTOR
                                ? Phrase.of("times.farthest")
                                : Phrase.of("times.plain", "factor", Value.number(other)));
    }

    /// For failed requests, whose shares are compared by their difference, relative to all requests.
    ///
    /// @param margin smallest relevant difference, as a share of all requests
    private static Phrase headlineOf(ShareDifference failures, String a, String b, double margin) {
        Metric errors = new Metric(Metric.Kind.ERRORS, Double.NaN);
        if (!failures.isTold()) {
            return tooFew(errors, a, b);
        }
        Phrase shares = sharesOf(failures, margin)
                .with("a", a)
                .with("b", b)
                .with("shareA", Value.percent(failures.a()))
                .with("shareB", Value.percent(failures.b()));
        double low = Math.abs(failures.low());
        double high = Math.abs(failures.high());
        return failures.direction() == 0
                ? shares.with("low", points(failures.low())).with("high", points(failures.high()))
                : shares.with("low", Value.percent(Math.min(low, high)))
                        .with("high", Value.percent(Math.max(low, high)));
    }

    private static Phrase sharesOf(ShareDifference failures, double margin) {
        if (failures.direction() != 0) {
            return Phrase.of(failures.direction() > 0 ? "verdict.errors.more" : "verdict.errors.less");
        }
        return failures.isWithin(margin)
                ? Phrase.of("verdict.errors.same", "margin", Value.percent(margin))
                : Phrase.of(failures.byCounts() ? "verdict.errors.fewRequests" : "verdict.errors.noisy")
                        .with("hidden", Value.percent(failures.hidden()))
                        .counted(failures.rounds());
    }

    /// No difference was found: a relevant one is either ruled out, or may have gone undetected.
    private static Phrase none(Estimate estimate, double margin, boolean noisy) {
        if (estimate.isWithin(margin)) {
            return Phrase.of("verdict.same", "margin", new Value.Margin(margin));
        }
        Phrase open = noisy ? Phrase.of("verdict.noisy", "n", estimate.judgedRounds()) : Phrase.of("verdict.open");
        return open.with("hidden", hidden(estimate));
    }

    /// A difference that may have gone undetected: a percentage, or a factor from 2 on.
    private static Phrase hidden(Estimate estimate) {
        double factor = estimate.hidden();
        if (new Value.Change(factor - 1, 0).isOver()) {
            return Phrase.of("change.hidden");
        }
        return factor < TIMES
                ? Phrase.of("change.plain", "change", new Value.Percent(factor - 1, 0))
                : Phrase.of("change.factor", "factor", Value.number(factor));
    }

    /// The family of a figure; figures of a family have the same words for comparison.
    private static String family(Metric metric) {
        if (metric.kind().isStage()) {
            return "stage";
        }
        return metric.isLatency() ? "latency" : metric.kind().key();
    }

    /// A factor with its noun, whose form depends on the number; a fraction always has the same form.
    private static Phrase times(double factor) {
        if (factor > FARTHEST_FACTOR) {
            return Phrase.of("times.most");
        }
        return factor >= WHOLE
                ? Phrase.of("times", "n", Math.round(factor))
                : Phrase.of("times.fraction", "factor", Value.number(factor));
    }

    /// The unsigned change with its uncertainty: `12 % ± 4 %`, or both ends if they are asymmetric.
    private static Phrase changeOf(Estimate estimate) {
        double below = estimate.change() - estimate.low();
        double above = estimate.high() - estimate.change();
        int decimals = decimals(estimate);
        double size = Math.abs(estimate.change());
        if (Math.max(below, above) <= LOPSIDED * Math.min(below, above)) {
            return Phrase.of("change.half")
                    .with("change", new Value.Percent(size, decimals))
                    .with("half", new Value.Percent((below + above) / 2, decimals));
        }
        double low = Math.min(Math.abs(estimate.low()), Math.abs(estimate.high()));
        double high = Math.max(Math.abs(estimate.low()), Math.abs(estimate.high()));
        return Phrase.of("change.ends")
                .with("change", new Value.Percent(size, decimals))
                .with("low", new Value.Percent(low, decimals))
                .with("high", farther(estimate, high, decimals));
    }

    /// The end of an interval that is farther from zero change, unsigned.
    private static Phrase farther(Estimate estimate, double size, int decimals) {
        if (new Value.Change(estimate.high(), 0).isOver()) {
            return Phrase.of("change.over");
        }
        return new Value.Change(estimate.low(), 0).isUnder()
                ? Phrase.of("change.most")
                : Phrase.of("change.size", "change", new Value.Percent(size, decimals));
    }

    /// Number of significant decimals, given the uncertainty.
    private static int decimals(Estimate estimate) {
        double half = (estimate.high() - estimate.low()) / 2;
        return half >= 0.02 ? 0 : half >= 0.002 ? 1 : 2;
    }

    /// A signed share of all requests.
    private static Phrase points(double share) {
        return Phrase.of(share > 0 ? "change.up" : "change.down", "change", Value.percent(Math.abs(share)));
    }

    static Phrase nameOf(Metric metric) {
        return metric.kind() == Metric.Kind.PERCENTILE
                ? Phrase.of("metric.percentile", "percentile", Percentiles.name(metric.percentile()))
                : Phrase.of("metric." + metric.kind().key());
    }

    private static Value valueOf(Metric metric, double figure) {
        return switch (metric.kind()) {
            case PERCENTILE, MEAN, MAX, CPU, STAGE_READ, STAGE_QUEUE, STAGE_ENGINE, STAGE_DELIVER, STAGE_WRITE ->
                Value.nanos(figure);
            case MEMORY -> new Value.Bytes(figure);
            case RATE -> new Value.Nested(Phrase.of("value.rate", "rate", Value.number(figure)));
            case ERRORS -> Value.percent(figure);
        };
    }
}
