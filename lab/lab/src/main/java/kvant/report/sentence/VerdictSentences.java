package kvant.report.sentence;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import kvant.lab.result.Remark;
import kvant.load.record.Percentiles;
import kvant.report.verdict.Caveat;
import kvant.report.verdict.Concept;
import kvant.report.verdict.Estimate;
import kvant.report.verdict.GeneratorDoubt;
import kvant.report.verdict.Metric;
import kvant.report.verdict.ShareDifference;
import kvant.report.verdict.Verdict;
import kvant.report.verdict.Verdict.CpuDifference;
import kvant.report.verdict.Verdict.Decided;
import kvant.report.verdict.Verdict.Outcome;
import kvant.report.verdict.Verdict.PublishedFigures;
import kvant.report.verdict.Verdict.Unjudged;
import kvant.report.words.Phrase;
import kvant.report.words.Value;
import org.jspecify.annotations.Nullable;

/// What a verdict says: one sentence, what it rests on, and what stands against it.
public final class VerdictSentences {

    /// From this factor between published and measured figures on, the report says that they are so far apart.
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

    /// @param noisy whether it is open because rounds differ
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

    /// Whichever failed more is the better one by the figure.
    private static Phrase mixed(Phrase claim, Verdict verdict, Decided decided) {
        boolean ofB = verdict.failsMore();
        return Phrase.of("verdict.mixed")
                .with("claim", claim)
                .with("more", ofB ? verdict.b() : verdict.a())
                .with("shareMore", Value.percent(ofB ? decided.shareB() : decided.shareA()))
                .with("less", ofB ? verdict.a() : verdict.b())
                .with("shareLess", Value.percent(ofB ? decided.shareA() : decided.shareB()));
    }

    /// A few words for what may be said of B: no more than the interval tells.
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
        return switch (why) {
            case Unjudged.UnknownMetric unknown ->
                Phrase.of("verdict.unknownMetric").with("metric", unknown.metric());
            case Unjudged.NothingToCompare _ -> Phrase.of("verdict.nothingToCompare");
            case Unjudged.NoFigures absent ->
                Phrase.of("verdict.absent")
                        .with("variants", String.join(", ", absent.variants()))
                        .with("phase", verdict.phase());
            case Unjudged.NeverTogether _ ->
                Phrase.of("verdict.neverTogether")
                        .with("a", verdict.a())
                        .with("b", verdict.b())
                        .with("phase", verdict.phase());
            case Unjudged.NotMeasured absent ->
                Phrase.of("verdict.notMeasured").with("metric", Figures.name(absent.metric()));
        };
    }

    /// What it rests on.
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

    /// Why there is no verdict, of one that there is none of.
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
        return switch (decided.basis()) {
            case FEW_REQUESTS -> Phrase.of("detail.fewRequests").counted(Percentiles.LEAST_BEYOND);
            case SINGLE_ROUND -> Phrase.of("detail.single");
            case FEW_ROUNDS -> Phrase.of("detail.fewRounds").counted(decided.leastRounds());
            case COUNTS -> Phrase.of("detail.counts").with("confidence", confidence);
            case ROUNDS ->
                Phrase.of(decided.failures() == null ? "detail.rounds" : "detail.differences")
                        .with("confidence", confidence)
                        .counted(decided.rounds());
            case BLOCKS ->
                Phrase.of("detail.blocks").with("confidence", confidence).counted(decided.rounds());
            case SEQUENCE ->
                Phrase.of("detail.sequence").with("confidence", confidence).counted(decided.rounds());
            case INTERLEAVED ->
                Phrase.of("detail.interleaved").with("confidence", confidence).counted(decided.rounds());
            case WINDOWS ->
                Phrase.of("detail.windows").with("confidence", confidence).counted(decided.rounds());
        };
    }

    private static Phrase published(Verdict verdict, Decided decided, PublishedFigures published) {
        String key = switch (published.agreement()) {
            case SAME_DIRECTION -> "published.sameDirection";
            case NO_DIFFERENCE -> "published.noDifference";
            case OPPOSITE -> "published.opposite";
            case NOT_FOUND -> "published.notFound";
            case NEW_HERE -> "published.newHere";
            case BESIDE -> "published.beside";
        };
        return Phrase.of(key)
                .with("margin", new Value.Margin(decided.margin()))
                .with("a", verdict.a())
                .with("b", verdict.b())
                .with("valueA", Value.nanos(published.nanosA()))
                .with("valueB", Value.nanos(published.nanosB()));
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

    /// What stands against it.
    public static List<Phrase> caveats(Verdict verdict) {
        return verdict.caveats().stream().map(one -> caveat(one, verdict)).toList();
    }

    /// What of that could change it.
    public static List<Phrase> decisive(Verdict verdict) {
        return verdict.decisive().stream().map(one -> caveat(one, verdict)).toList();
    }

    private static Phrase caveat(Caveat caveat, Verdict verdict) {
        return switch (caveat) {
            case Caveat.LeftOut one -> leftOut(one);
            case Caveat.Invalid one ->
                Phrase.of("trouble.invalid").with("step", one.step()).with("reason", doubt(one.doubt()));
            case Caveat.Doubtful one ->
                Phrase.of("caveat.doubtful").with("step", one.step()).with("reason", doubt(one.doubt()));
            case Caveat.Unstable one -> Phrase.of("caveat.unstable").with("step", one.step());
            case Caveat.Taken one ->
                Phrase.of("caveat.taken").with("step", one.step()).with("share", Value.percent(one.share()));
            case Caveat.Host one -> host(one);
            case Caveat.HeldByGenerator one -> held(one, verdict);
            case Caveat.Disturbed one ->
                Phrase.of(one.blocks() ? "trouble.disturbedBlocks" : "trouble.disturbedRounds")
                        .with("of", Value.count(one.of()))
                        .counted(one.n());
            case Caveat.Alone one -> Phrase.of("trouble.alone").with("round", Integer.toString(one.round()));
            case Caveat.FewerRounds one ->
                Phrase.of("caveat.rounds")
                        .with("planned", Value.count(one.planned()))
                        .counted(one.n());
            case Caveat.FailedRequests one ->
                Phrase.of("caveat.errors")
                        .with("variant", one.variant())
                        .with("share", Value.percent(one.share()))
                        .with("due", Value.count(one.due()))
                        .counted(one.n());
            case Caveat.AcceptedAlone one ->
                Phrase.of("caveat.accepted")
                        .with("variant", one.variant())
                        .with("metric", Figures.name(one.metric()))
                        .with("value", Value.nanos(one.nanos()));
            case Caveat.UnlikeConnections one ->
                Phrase.of("caveat.connections")
                        .with("a", verdict.a())
                        .with("b", verdict.b())
                        .with("countA", Value.count(one.countA()))
                        .with("countB", Value.count(one.countB()));
        };
    }

    /// What became of blocks that something outside of the run disturbed, and why.
    public static Phrase host(Caveat.Host one) {
        String why = one.others() == 0 ? "host.why.stolen" : one.stolen() == 0 ? "host.why.others" : "host.why.both";
        return Phrase.of(one.leftOut() ? "trouble.host" : "caveat.host")
                .with(
                        "why",
                        Phrase.of(why)
                                .with("bound", Value.percent(one.bound()))
                                .with("stolen", Value.count(one.stolen()))
                                .with("others", Value.count(one.others())))
                .with("of", Value.count(one.of()))
                .counted(one.n());
    }

    private static Phrase held(Caveat.HeldByGenerator one, Verdict verdict) {
        return Phrase.of("caveat.held")
                .with("metric", Figures.name(one.metric()))
                .with("a", verdict.a())
                .with("b", verdict.b());
    }

    private static Phrase leftOut(Caveat.LeftOut one) {
        Phrase phrase = Phrase.of("trouble." + one.cause().name().toLowerCase(Locale.ROOT))
                .with("step", one.step());
        return one.cause() == Caveat.Cause.PLANNED ? phrase : phrase.with("reason", Remarks.phrase(one.reason()));
    }

    /// Why a generator is not beyond doubt.
    public static Phrase doubt(GeneratorDoubt doubt) {
        return switch (doubt) {
            case GeneratorDoubt.Late late ->
                Phrase.of("reason.lag")
                        .with("own", Value.nanos(late.ownNanos()))
                        .with("response", Value.nanos(late.responseNanos()));
            case GeneratorDoubt.Busy busy -> Phrase.of("reason.busy").with("share", Value.percent(busy.share()));
            case GeneratorDoubt.Given given -> Remarks.phrase(new Remark.Given(given.text()));
        };
    }
}
