package kvant.report.sentence;

import kvant.report.verdict.Estimate;
import kvant.report.verdict.Metric;
import kvant.report.verdict.ShareDifference;
import kvant.report.words.Phrase;
import kvant.report.words.Value;

/// The one-sentence text of a verdict.
final class Headline {

    /// From this ratio on, a factor is easier to read than a percentage.
    private static final double TIMES = 2;

    /// Maximum ratio of the distances of both ends of an interval at which they are written as one number.
    private static final double LOPSIDED = 1.25;

    /// From this factor on no decimals are written.
    private static final double WHOLE = 99.95;

    /// A larger end of an interval is written as "more than" this.
    private static final double FARTHEST_FACTOR = 1000;

    private Headline() {}

    static Phrase tooFew(Metric metric, String a, String b) {
        return of("verdict.tooFew", metric, a, b);
    }

    private static Phrase of(String key, Metric metric, String a, String b) {
        return Phrase.of(key).with("a", a).with("b", b).with("metric", Figures.name(metric));
    }

    /// @param margin smallest relevant difference, as a share
    /// @param noisy whether it is undecided because rounds vary
    static Phrase of(Metric metric, Estimate estimate, String a, String b, double margin, boolean noisy) {
        String family = family(metric);
        int direction = estimate.direction();
        if (direction == 0) {
            return none(estimate, margin, noisy)
                    .with("a", a)
                    .with("b", b)
                    .with("metric", Figures.name(metric))
                    .with("low", new Value.Change(estimate.low(), decimals(estimate)))
                    .with("high", new Value.Change(estimate.high(), decimals(estimate)));
        }
        double factor = direction > 0 ? 1 + estimate.change() : 1 / (1 + estimate.change());
        String more = direction > 0 ? "more" : "less";
        if (factor < TIMES) {
            return of("verdict." + family + "." + more, metric, a, b).with("change", change(estimate));
        }
        double one = direction > 0 ? 1 + estimate.low() : 1 / (1 + estimate.high());
        double other = direction > 0 ? 1 + estimate.high() : 1 / (1 + estimate.low());
        return of("verdict." + family + ".times." + more, metric, a, b)
                .with("factor", times(factor))
                .with("low", Value.number(one))
                .with(
                        "high",
                        other > FARTHEST_FACTOR
                                ? Phrase.of("times.farthest")
                                : Phrase.of("times.plain").with("factor", Value.number(other)));
    }

    /// For failed requests, whose shares are compared by their difference, relative to all requests.
    ///
    /// @param margin smallest relevant difference, as a share of all requests
    static Phrase of(ShareDifference failures, String a, String b, double margin) {
        Metric errors = new Metric(Metric.Kind.ERRORS, Double.NaN);
        if (!failures.isTold()) {
            return tooFew(errors, a, b);
        }
        Phrase shares = shares(failures, margin)
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

    private static Phrase shares(ShareDifference failures, double margin) {
        if (failures.direction() != 0) {
            return Phrase.of(failures.direction() > 0 ? "verdict.errors.more" : "verdict.errors.less");
        }
        return failures.isWithin(margin)
                ? Phrase.of("verdict.errors.same").with("margin", Value.percent(margin))
                : Phrase.of(failures.byCounts() ? "verdict.errors.fewRequests" : "verdict.errors.noisy")
                        .with("hidden", Value.percent(failures.hidden()))
                        .counted(failures.rounds());
    }

    /// No difference was found: a relevant one is either ruled out, or may have gone undetected.
    private static Phrase none(Estimate estimate, double margin, boolean noisy) {
        if (estimate.isWithin(margin)) {
            return Phrase.of("verdict.same").with("margin", new Value.Margin(margin));
        }
        Phrase open = noisy ? Phrase.of("verdict.noisy").counted(estimate.judgedRounds()) : Phrase.of("verdict.open");
        return open.with("hidden", hidden(estimate));
    }

    /// A difference that may have gone undetected: a percentage, or a factor from 2 on.
    private static Phrase hidden(Estimate estimate) {
        double factor = estimate.hidden();
        if (new Value.Change(factor - 1, 0).isOver()) {
            return Phrase.of("change.hidden");
        }
        return factor < TIMES
                ? Phrase.of("change.plain").with("change", new Value.Percent(factor - 1, 0))
                : Phrase.of("change.factor").with("factor", Value.number(factor));
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
                ? Phrase.of("times").counted(Math.round(factor))
                : Phrase.of("times.fraction").with("factor", Value.number(factor));
    }

    /// The unsigned change with its uncertainty: `12 % ± 4 %`, or both ends if they are asymmetric.
    private static Phrase change(Estimate estimate) {
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
                : Phrase.of("change.size").with("change", new Value.Percent(size, decimals));
    }

    /// Number of significant decimals, given the uncertainty.
    private static int decimals(Estimate estimate) {
        double half = (estimate.high() - estimate.low()) / 2;
        return half >= 0.02 ? 0 : half >= 0.002 ? 1 : 2;
    }

    /// A signed share of all requests.
    private static Phrase points(double share) {
        return Phrase.of(share > 0 ? "change.up" : "change.down").with("change", Value.percent(Math.abs(share)));
    }
}
