package kvant.lab.result;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The attribution of the slowest requests' time, by band: `tail.json`. docs/tail.md has the schema.
///
/// @param attributedShare attributed share of their time, NaN if unknown
/// @param matched number of requests with a known event of the node
/// @param of total number of requests in the run
public record TailRecord(
        String schema,
        double attributedShare,
        long requests,
        long matched,
        long of,
        List<Band> bands,
        List<Remark> notes) {

    public static final String SCHEMA = "kvant-tail/1";

    /// The requests between two percentiles.
    ///
    /// @param parts mean nanoseconds per request, which add up to `meanNanos`
    /// @param meanwhile mean nanoseconds per request of concurrent flushes or merges, not a part of `meanNanos`
    public record Band(
            double from,
            double to,
            long requests,
            double attributedShare,
            double meanNanos,
            Map<String, Double> parts,
            Map<String, Double> meanwhile) {}

    /// Combines several rounds: figures are weighted by their number of requests, the attributed share by their time.
    public static TailRecord joined(List<TailRecord> tails) {
        Map<String, Band> joined = new LinkedHashMap<>();
        List<Remark> notes = new ArrayList<>();
        for (TailRecord tail : tails) {
            tail.notes.stream().filter(note -> !notes.contains(note)).forEach(notes::add);
            for (Band band : tail.bands) {
                joined.merge(band.from + "-" + band.to, band, TailRecord::joined);
            }
        }
        return new TailRecord(
                SCHEMA,
                attributed(tails),
                tails.stream().mapToLong(TailRecord::requests).sum(),
                tails.stream().mapToLong(TailRecord::matched).sum(),
                tails.stream().mapToLong(TailRecord::of).sum(),
                List.copyOf(joined.values()),
                notes);
    }

    private static double attributed(List<TailRecord> tails) {
        double nanos = 0;
        double attributed = 0;
        for (TailRecord tail : tails) {
            if (Double.isFinite(tail.attributedShare)) {
                Band whole = tail.whole();
                nanos += whole.requests * whole.meanNanos;
                attributed += whole.requests * whole.meanNanos * tail.attributedShare;
            }
        }
        return nanos > 0 ? attributed / nanos : Double.NaN;
    }

    /// All bands combined: the slowest requests, which were kept individually.
    public Band whole() {
        return bands.stream().reduce(new Band(100, 100, 0, Double.NaN, 0, Map.of(), Map.of()), TailRecord::joined);
    }

    private static Band joined(Band a, Band b) {
        long requests = a.requests + b.requests;
        double share = requests == 0 ? 0 : (double) b.requests / requests;
        return new Band(
                Math.min(a.from, b.from),
                Math.max(a.to, b.to),
                requests,
                Double.NaN, // readers want that of all bands together
                (1 - share) * a.meanNanos + share * b.meanNanos,
                mean(a.parts, b.parts, share),
                mean(a.meanwhile, b.meanwhile, share));
    }

    private static Map<String, Double> mean(Map<String, Double> a, Map<String, Double> b, double shareOfB) {
        Map<String, Double> mean = new LinkedHashMap<>();
        a.forEach((name, nanos) -> mean.merge(name, (1 - shareOfB) * nanos, Double::sum));
        b.forEach((name, nanos) -> mean.merge(name, shareOfB * nanos, Double::sum));
        return mean;
    }

    /// Without parts of zero time.
    public TailRecord withoutNothing() {
        List<Band> positive = bands.stream()
                .map(one -> new Band(
                        one.from,
                        one.to,
                        one.requests,
                        one.attributedShare,
                        one.meanNanos,
                        positive(one.parts),
                        positive(one.meanwhile)))
                .toList();
        return new TailRecord(schema, attributedShare, requests, matched, of, positive, notes);
    }

    private static Map<String, Double> positive(Map<String, Double> nanos) {
        Map<String, Double> positive = new LinkedHashMap<>(nanos);
        positive.values().removeIf(each -> !(each > 0));
        return positive;
    }
}
