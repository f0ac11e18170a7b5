package kvant.lab.result;

import java.util.List;
import java.util.Map;

/// Where the time of the slowest requests went, band by band: `tail.json`. docs/tail.md has the schema.
///
/// @param attributedShare of their time, NaN where unknown
/// @param matched requests whose event of the node is known
/// @param of how many requests the run had
public record TailRecord(
        String schema,
        double attributedShare,
        long requests,
        long matched,
        long of,
        List<Band> bands,
        List<Remark> notes) {

    public static final String SCHEMA = "kvant-tail/1";

    /// Requests between two percentiles.
    ///
    /// @param parts mean nanoseconds per request, which add up to `meanNanos`
    /// @param meanwhile mean nanoseconds per request in which the node flushed or merged too: not a part of it
    public record Band(
            double from,
            double to,
            long requests,
            double attributedShare,
            double meanNanos,
            Map<String, Double> parts,
            Map<String, Double> meanwhile) {}
}
