package kvant.report.sentence;

import kvant.load.record.Percentiles;
import kvant.report.verdict.Metric;
import kvant.report.words.Phrase;
import kvant.report.words.Value;

/// The names of figures in sentences, and their units.
final class Figures {

    private Figures() {}

    static Phrase name(Metric metric) {
        return metric.kind() == Metric.Kind.PERCENTILE
                ? Phrase.of("metric.percentile").with("percentile", Percentiles.name(metric.percentile()))
                : Phrase.of("metric." + metric.kind().key());
    }

    static Value value(Metric metric, double figure) {
        return switch (metric.kind()) {
            case PERCENTILE, MEAN, MAX, CPU, STAGE_READ, STAGE_QUEUE, STAGE_ENGINE, STAGE_DELIVER, STAGE_WRITE ->
                Value.nanos(figure);
            case MEMORY -> new Value.Bytes(figure);
            case RATE -> new Value.Nested(Phrase.of("value.rate").with("rate", Value.number(figure)));
            case ERRORS -> Value.percent(figure);
        };
    }
}
