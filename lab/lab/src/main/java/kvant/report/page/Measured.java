package kvant.report.page;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kvant.lab.result.RunRecord.PhaseRecord;
import kvant.lab.result.RunRecord.VariantRecord;
import kvant.report.folder.DecodedResult;
import kvant.report.folder.Results;
import kvant.report.folder.Results.MeasuredStep;
import kvant.report.words.Words;
import org.HdrHistogram.Histogram;

/// The rounds of one variant under one load in a table or chart: those that may be judged; otherwise, with a note, all
/// that have figures.
///
/// @param colour index of the variant, the same in every chart
record Measured(VariantRecord variant, PhaseRecord phase, int colour, List<MeasuredStep> steps, boolean usable) {

    static List<Measured> of(Results results, PhaseRecord phase) {
        List<VariantRecord> variants = results.variants();
        return IntStream.range(0, variants.size())
                .mapToObj(i -> of(results, variants.get(i), phase, i))
                .toList();
    }

    /// Each variant under each load.
    static List<Measured> all(Results results) {
        return results.run().phases().stream()
                .flatMap(phase -> of(results, phase).stream())
                .toList();
    }

    private static Measured of(Results results, VariantRecord variant, PhaseRecord phase, int colour) {
        List<MeasuredStep> usable = results.usable(variant.name(), phase.name());
        if (!usable.isEmpty()) {
            return new Measured(variant, phase, colour, usable, true);
        }
        List<MeasuredStep> any = results.steps(variant.name(), phase.name()).stream()
                .filter(step -> step.load() != null)
                .toList();
        return new Measured(variant, phase, colour, any, false);
    }

    boolean isEmpty() {
        return steps.isEmpty();
    }

    /// Name for tables and sentences.
    String label(Words words) {
        return marked(variant.name(), words);
    }

    /// Title for charts.
    String title(Words words) {
        return marked(title(variant, words), words);
    }

    static String title(VariantRecord variant, Words words) {
        String title = words.choose(variant.title(), variant.titleRu());
        return title.isEmpty() ? variant.name() : title;
    }

    /// The title of a variant by its name, or the name if there is no such variant.
    static String title(Results results, String variant, Words words) {
        return results.variants().stream()
                .filter(one -> one.name().equals(variant))
                .findFirst()
                .map(one -> title(one, words))
                .orElse(variant);
    }

    private String marked(String text, Words words) {
        if (isEmpty() || usable) {
            return text;
        }
        boolean invalid = loads().stream().anyMatch(DecodedResult::isInvalid);
        return text + " (" + words.get(invalid ? "mark.invalid" : "mark.partial") + ")";
    }

    List<DecodedResult> loads() {
        return steps.stream().flatMap(step -> Stream.ofNullable(step.load())).toList();
    }

    /// All rounds merged.
    Histogram response() {
        Histogram sum = new Histogram(3);
        loads().forEach(load -> sum.add(load.response()));
        return sum;
    }

    /// The figure for each round, in ascending order, without rounds in which it was not measured.
    double[] each(ToDoubleFunction<MeasuredStep> figure) {
        return steps.stream()
                .mapToDouble(figure)
                .filter(Double::isFinite)
                .sorted()
                .toArray();
    }

    static double median(double[] ascending) {
        int count = ascending.length;
        return count == 0
                ? Double.NaN
                : count % 2 == 1 ? ascending[count / 2] : (ascending[count / 2 - 1] + ascending[count / 2]) / 2;
    }

    double[] eachLoad(ToDoubleFunction<DecodedResult> figure) {
        return each(step -> step.load() == null ? Double.NaN : figure.applyAsDouble(step.load()));
    }

    /// The round with the median p99, for charts over time: an average of rounds would show no real course of events.
    MeasuredStep middle() {
        return steps.stream()
                .sorted(Comparator.comparingDouble(
                        step -> step.load() == null ? 0 : step.load().response().getValueAtPercentile(99)))
                .toList()
                .get((steps.size() - 1) / 2);
    }
}
