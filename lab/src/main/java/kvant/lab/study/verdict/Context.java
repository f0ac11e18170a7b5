package kvant.lab.study.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import kvant.lab.study.folder.Experiment.Published;
import kvant.lab.study.folder.LoadResult;
import kvant.lab.study.folder.Profile;
import kvant.lab.study.folder.Results;
import kvant.lab.study.folder.Step;
import kvant.lab.study.folder.Variant;
import kvant.lab.study.words.Phrase;
import kvant.lab.study.words.Value;
import org.HdrHistogram.Histogram;

/// What stands beside a verdict: what it rests on, what speaks against it, what the profiles and
/// others' figures say.
final class Context {

    /// Published figures have no repeats; ratios closer to 1 than this are taken for "about the same".
    private static final double ABOUT_THE_SAME = 1.1;

    private final Results results;

    Context(Results results) {
        this.results = results;
    }

    Phrase withCores(Phrase headline) {
        int cores = results.machine().cores();
        return cores > 0
                ? Phrase.of("verdict.withCores").with("claim", headline).counted(cores)
                : Phrase.of("verdict.plain").with("claim", headline);
    }

    Phrase figures(Metric metric, Estimate estimate, String a, String b) {
        return Phrase.of(estimate.rounds() > 1 ? "detail.figures" : "detail.figure")
                .with("metric", metric.name())
                .with("a", a)
                .with("b", b)
                .with("valueA", metric.value(estimate.a()))
                .with("valueB", metric.value(estimate.b()))
                .counted(estimate.rounds());
    }

    Phrase basis(Estimate estimate, double confidence, Metric metric, Rounds rounds) {
        if (!rounds.a().stream().allMatch(step -> metric.isTold(Judge.load(step)))
                || !rounds.b().stream().allMatch(step -> metric.isTold(Judge.load(step)))) {
            return Phrase.of("detail.fewRequests").counted(Metric.LEAST_BEYOND);
        }
        if (estimate.rounds() < 2) {
            return Phrase.of("detail.single");
        }
        if (!estimate.isTold()) {
            return Phrase.of("detail.fewRounds").counted(Estimate.LEAST_ROUNDS);
        }
        return Phrase.of(estimate.ofRounds() ? "detail.rounds" : "detail.windows")
                .with("confidence", new Value.Percent(confidence, isWhole(100 * confidence) ? 0 : 1))
                .counted(estimate.rounds());
    }

    private static boolean isWhole(double number) {
        return Math.abs(number - Math.rint(number)) < 1e-9;
    }

    static Value share(List<Step> steps) {
        double due = 0;
        double errors = 0;
        for (Step step : steps) {
            due += Judge.load(step).due();
            errors += Judge.load(step).errors();
        }
        return Value.percent(due == 0 ? 0 : errors / due);
    }

    List<Phrase> caveats(Metric metric, Rounds rounds, String a, String b) {
        List<Phrase> caveats = new ArrayList<>();
        if (rounds.count() < rounds.planned()) {
            caveats.add(Phrase.of("caveat.rounds")
                    .with("planned", Value.count(rounds.planned()))
                    .counted(rounds.count()));
        }
        errors(metric, rounds.a(), a, caveats);
        errors(metric, rounds.b(), b, caveats);
        doubts(rounds.a(), caveats);
        doubts(rounds.b(), caveats);
        connections(a, b, caveats);
        return caveats;
    }

    private void errors(Metric metric, List<Step> steps, String variant, List<Phrase> caveats) {
        long errors =
                steps.stream().mapToLong(step -> Judge.load(step).errors()).sum();
        if (errors == 0) {
            return;
        }
        caveats.add(Phrase.of("caveat.errors")
                .with("variant", variant)
                .with("share", share(steps))
                .with(
                        "due",
                        Value.count(steps.stream()
                                .mapToLong(step -> Judge.load(step).due())
                                .sum()))
                .counted(errors));
        Histogram accepted = new Histogram(3);
        steps.forEach(step -> accepted.add(Judge.load(step).accepted()));
        if (metric.kind() == Metric.Kind.PERCENTILE && accepted.getTotalCount() > 0) {
            caveats.add(Phrase.of("caveat.accepted")
                    .with("variant", variant)
                    .with("metric", metric.name())
                    .with("value", Value.nanos(accepted.getValueAtPercentile(metric.percentile()))));
        }
    }

    private static void doubts(List<Step> steps, List<Phrase> caveats) {
        for (Step step : steps) {
            LoadResult load = Judge.load(step);
            if (load.isDoubtful()) {
                caveats.add(Phrase.of("caveat.doubtful").with("step", step.id()).with("reason", Doubt.reason(load)));
            }
        }
    }

    /// Two things that change at once cannot be told apart.
    private void connections(String a, String b, List<Phrase> caveats) {
        long ofA = connections(a);
        long ofB = connections(b);
        if (ofA > 0 && ofB > 0 && ofA != ofB) {
            caveats.add(Phrase.of("caveat.connections")
                    .with("a", a)
                    .with("b", b)
                    .with("countA", Value.count(ofA))
                    .with("countB", Value.count(ofB)));
        }
    }

    private long connections(String variant) {
        return results.variants().stream()
                .filter(one -> one.name().equals(variant))
                .mapToLong(Variant::connections)
                .findFirst()
                .orElse(0);
    }

    /// Where the processor time goes in one and not in the other.
    List<Phrase> profiles(String a, String b, String phase) {
        Optional<Profile.Difference> found = results.difference(a, b, phase, "cpu");
        if (found.isEmpty()) {
            return List.of();
        }
        Profile.Difference difference = found.get();
        long samples = Math.min(samples(a, phase), samples(b, phase));
        List<Phrase> said = new ArrayList<>();
        Concept.foremost(difference, samples).ifPresent(standout -> {
            boolean more = standout.change().delta() > 0;
            double mine = more ? standout.change().b() : standout.change().a();
            double other = more ? standout.change().a() : standout.change().b();
            said.add(Phrase.of("detail.cpu")
                    .with("variant", more ? difference.b() : difference.a())
                    .with("other", more ? difference.a() : difference.b())
                    .with("share", Value.percent(mine))
                    .with("otherShare", Value.percent(other))
                    .with("what", standout.name()));
        });
        return said;
    }

    private long samples(String variant, String phase) {
        return results.profile(variant, phase).map(one -> one.samples("cpu")).orElse(0L);
    }

    /// Whether others found the same. Their machines differ, so that only the direction can be the
    /// same.
    List<Phrase> published(Metric metric, Estimate estimate, String a, String b, String phase) {
        double percentile = metric.kind() == Metric.Kind.MAX ? 100 : metric.percentile();
        double ofA = published(a, phase, percentile);
        double ofB = published(b, phase, percentile);
        if (!metric.isLatency() || Double.isNaN(ofA) || Double.isNaN(ofB)) {
            return List.of();
        }
        int theirs = ofB / ofA > ABOUT_THE_SAME ? 1 : ofB / ofA < 1 / ABOUT_THE_SAME ? -1 : 0;
        int ours = estimate.isTold() ? estimate.direction() : 0;
        String key;
        if (!estimate.isTold()) {
            key = "published.beside";
        } else if (theirs == ours) {
            key = "published.same";
        } else {
            key = ours == 0 ? "published.notFound" : theirs == 0 ? "published.newHere" : "published.opposite";
        }
        return List.of(Phrase.of(key)
                .with("a", a)
                .with("b", b)
                .with("metric", metric.name())
                .with("valueA", Value.nanos(ofA * 1e6))
                .with("valueB", Value.nanos(ofB * 1e6)));
    }

    private double published(String variant, String phase, double percentile) {
        return results.experiment().published().stream()
                .filter(one -> one.variant().equals(variant) && one.phase().equals(phase))
                .map(Published::millis)
                .filter(millis -> millis.containsKey(percentile))
                .mapToDouble(millis -> millis.get(percentile))
                .findFirst()
                .orElse(Double.NaN);
    }
}
