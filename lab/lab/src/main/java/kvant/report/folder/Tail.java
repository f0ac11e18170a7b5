package kvant.report.folder;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kvant.lab.result.Remark;
import kvant.lab.result.TailRecord;

/// Where the time of the slowest requests went.
///
/// @param attributedShare of their time, NaN where unknown
public record Tail(double attributedShare, List<Band> bands, List<Remark> notes) {

    /// Requests between two percentiles.
    ///
    /// @param partsNanos means per request, which add up to `meanNanos`
    /// @param meanwhileNanos means per request in which the node did that too: not a part of it
    public record Band(
            double from,
            double to,
            long requests,
            double meanNanos,
            Map<String, Double> partsNanos,
            Map<String, Double> meanwhileNanos) {}

    static Tail of(TailRecord record) {
        return new Tail(
                record.attributedShare(),
                record.bands().stream().map(Tail::band).toList(),
                record.notes());
    }

    private static Band band(TailRecord.Band band) {
        return new Band(
                band.from(),
                band.to(),
                band.requests(),
                band.meanNanos(),
                positive(band.parts()),
                positive(band.meanwhile()));
    }

    private static Map<String, Double> positive(Map<String, Double> nanos) {
        Map<String, Double> positive = new LinkedHashMap<>(nanos);
        positive.values().removeIf(each -> !(each > 0));
        return positive;
    }

    /// Several rounds of the same, by the number of their requests; what was attributed, by their time.
    public static Tail joined(List<Tail> tails) {
        Map<String, Band> joined = new LinkedHashMap<>();
        List<Remark> notes = new ArrayList<>();
        for (Tail tail : tails) {
            tail.notes.stream().filter(note -> !notes.contains(note)).forEach(notes::add);
            for (Band band : tail.bands) {
                joined.merge(band.from + "-" + band.to, band, Tail::joined);
            }
        }
        return new Tail(attributed(tails), List.copyOf(joined.values()), notes);
    }

    private static double attributed(List<Tail> tails) {
        double nanos = 0;
        double attributed = 0;
        for (Tail tail : tails) {
            if (Double.isFinite(tail.attributedShare)) {
                Band whole = tail.whole();
                nanos += whole.requests * whole.meanNanos;
                attributed += whole.requests * whole.meanNanos * tail.attributedShare;
            }
        }
        return nanos > 0 ? attributed / nanos : Double.NaN;
    }

    /// All bands together: the slowest requests that were kept one by one.
    public Band whole() {
        return bands.stream().reduce(new Band(100, 100, 0, 0, Map.of(), Map.of()), Tail::joined);
    }

    private static Band joined(Band a, Band b) {
        long requests = a.requests + b.requests;
        double share = requests == 0 ? 0 : (double) b.requests / requests;
        return new Band(
                Math.min(a.from, b.from),
                Math.max(a.to, b.to),
                requests,
                (1 - share) * a.meanNanos + share * b.meanNanos,
                mean(a.partsNanos, b.partsNanos, share),
                mean(a.meanwhileNanos, b.meanwhileNanos, share));
    }

    private static Map<String, Double> mean(Map<String, Double> a, Map<String, Double> b, double shareOfB) {
        Map<String, Double> mean = new LinkedHashMap<>();
        a.forEach((name, nanos) -> mean.merge(name, (1 - shareOfB) * nanos, Double::sum));
        b.forEach((name, nanos) -> mean.merge(name, shareOfB * nanos, Double::sum));
        return mean;
    }
}
