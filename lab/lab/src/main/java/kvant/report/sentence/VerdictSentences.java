package kvant.report.sentence;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvant.load.record.Percentiles;
import kvant.report.verdict.Caveat;
import kvant.report.verdict.Concept;
import kvant.report.verdict.Estimate;
import kvant.report.verdict.Metric;
import kvant.report.verdict.ShareDifference;
import kvant.report.verdict.Verdict;
import kvant.report.verdict.Verdict.Basis;
import kvant.report.verdict.Verdict.CpuDifference;
import kvant.report.verdict.Verdict.Decided;
import kvant.report.verdict.Verdict.Outcome;
import kvant.report.verdict.Verdict.PublishedFigures;
import kvant.report.verdict.Verdict.Unjudged;
import kvant.report.words.Phrase;
import kvant.report.words.Value;
import org.jspecify.annotations.Nullable;

/// The texts of a verdict: its sentence, its basis, and its caveats.
public final class VerdictSentences {

    /// Factor between published and measured figures from which the report notes the discrepancy.
    private static final double APART = 10;

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
        return cpu != null && isClaim(verdict)
                ? Phrase.of("verdict.explained").with("claim", claim).with("by", cpu(cpu))
                : claim;
    }

    private static boolean isClaim(Verdict verdict) {
        return switch (verdict.outcome()) {
            case BETTER, WORSE, MIXED -> true;
            case SAME, UNDERPOWERED, UNKNOWN -> false;
        };
    }

    /// @param noisy whether it is undecided because rounds vary
    private static Phrase claim(Verdict verdict, Decided decided, boolean noisy) {
        ShareDifference failures = decided.failures();
        if (failures != null) {
            return Headline.of(failures, verdict.a(), verdict.b(), decided.margin());
        }
        return verdict.outcome() == Outcome.UNKNOWN
                ? Headline.tooFew(decided.metric(), verdict.a(), verdict.b())
                : claim(verdict, decided, Objects.requireNonNull(decided.estimate()), noisy);
    }

    private static Phrase claim(Verdict verdict, Decided decided, Estimate estimate, boolean noisy) {
        return Headline.of(decided.metric(), estimate, verdict.a(), verdict.b(), decided.margin(), noisy);
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
                ? Phrase.of("outcome.same").with("margin", new Value.Margin(margin))
                : Phrase.of("outcome.sameShare").with("margin", Value.percent(margin));
    }

    private static Phrase withCores(Phrase claim, int cores) {
        return cores > 0
                ? Phrase.of("verdict.withCores").with("claim", claim).counted(cores)
                : Phrase.of("verdict.plain").with("claim", claim);
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
                details.add(Phrase.of("published.apart").counted(Math.round(published.apart())));
            }
        }
        CpuDifference cpu = decided.cpu();
        if (cpu != null && !isClaim(verdict)) {
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
                .with("metric", Figures.name(metric))
                .with("a", verdict.a())
                .with("b", verdict.b())
                .with("valueA", Figures.value(metric, estimate.a()))
                .with("valueB", Figures.value(metric, estimate.b()))
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
                                ? Phrase.of("concept.frame")
                                        .with("frame", cpu.frame().frame())
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
}
