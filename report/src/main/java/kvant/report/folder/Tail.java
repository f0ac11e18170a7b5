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
    public record Band(double from, double to, long requests, double meanNanos, Map<String, Double> partsNanos) {}

    static Tail of(TailRecord record) {
        return new Tail(
                record.attributedShare(),
                record.bands().stream().map(Tail::band).toList(),
                record.notes());
    }

    private static Band band(TailRecord.Band band) {
        Map<String, Double> parts = new LinkedHashMap<>(band.parts());
        parts.values().removeIf(nanos -> !(nanos > 0));
        return new Band(band.from(), band.to(), band.requests(), band.meanNanos(), parts);
    }

    /// Several rounds of the same, by the number of their requests.
    public static Tail joined(List<Tail> tails) {
        Map<String, Band> joined = new LinkedHashMap<>();
        List<Remark> notes = new ArrayList<>();
        double attributed = 0;
        for (Tail tail : tails) {
            attributed += tail.attributedShare / tails.size();
            tail.notes.stream().filter(note -> !notes.contains(note)).forEach(notes::add);
            for (Band band : tail.bands) {
                joined.merge(band.from + "-" + band.to, band, Tail::joined);
            }
        }
        return new Tail(attributed, List.copyOf(joined.values()), notes);
    }

    /// All bands together: the slowest requests that were kept one by one.
    public Band whole() {
        return bands.stream().reduce(new Band(100, 100, 0, 0, Map.of()), Tail::joined);
    }

    private static Band joined(Band a, Band b) {
        long requests = a.requests + b.requests;
        double share = requests == 0 ? 0 : (double) b.requests / requests;
        Map<String, Double> parts = new LinkedHashMap<>();
        a.partsNanos.forEach((name, nanos) -> parts.merge(name, (1 - share) * nanos, Double::sum));
        b.partsNanos.forEach((name, nanos) -> parts.merge(name, share * nanos, Double::sum));
        return new Band(
                Math.min(a.from, b.from),
                Math.max(a.to, b.to),
                requests,
                (1 - share) * a.meanNanos + share * b.meanNanos,
                parts);
    }
}
