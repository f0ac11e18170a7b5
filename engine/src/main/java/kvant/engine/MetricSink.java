package kvant.engine;

/// Receives the metrics of a part of the node, when they are scraped.
///
/// Names follow the conventions of Prometheus: `kvant_` first, the unit in the name (`_seconds`, `_bytes`), and
/// `_total` at the end of a counter. Labels are pairs of name and value; their values come from a small fixed set,
/// never from a request.
public interface MetricSink {

    /// A sum that only grows while the process lives.
    void counter(String name, String help, double value, String... labels);

    /// A value that rises and falls.
    void gauge(String name, String help, double value, String... labels);

    /// A distribution of values.
    void histogram(String name, String help, Distribution values, String... labels);
}
