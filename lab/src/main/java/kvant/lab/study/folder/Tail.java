package kvant.lab.study.folder;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Where the time of the slowest requests went.
///
/// @param attributedShare of their time, NaN where unknown
public record Tail(double attributedShare, List<Band> bands, List<String> notes) {

    /// Requests between two percentiles.
    ///
    /// @param partsNanos means per request, which add up to `meanNanos`
    public record Band(double from, double to, long requests, double meanNanos, Map<String, Double> partsNanos) {}

    static Tail of(Document json) {
        List<Band> bands = new ArrayList<>();
        for (Document one : json.at("bands").list()) {
            Map<String, Double> parts = new LinkedHashMap<>();
            one.at("parts").members().forEach((name, nanos) -> {
                if (nanos.number() > 0) {
                    parts.put(name, nanos.number());
                }
            });
            bands.add(new Band(
                    one.at("from").number(),
                    one.at("to").number(),
                    one.at("requests").whole(),
                    one.at("meanNanos").number(),
                    parts));
        }
        return new Tail(
                json.at("attributedShare").number(), bands, json.at("notes").toldTexts());
    }

    /// Several rounds of the same, by the number of their requests.
    public static Tail joined(List<Tail> tails) {
        Map<String, Band> joined = new LinkedHashMap<>();
        List<String> notes = new ArrayList<>();
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

    private static Band joined(Band a, Band b) {
        long requests = a.requests + b.requests;
        double share = requests == 0 ? 0 : (double) b.requests / requests;
        Map<String, Double> parts = new LinkedHashMap<>();
        a.partsNanos.forEach((name, nanos) -> parts.merge(name, (1 - share) * nanos, Double::sum));
        b.partsNanos.forEach((name, nanos) -> parts.merge(name, share * nanos, Double::sum));
        return new Band(a.from, a.to, requests, (1 - share) * a.meanNanos + share * b.meanNanos, parts);
    }
}
