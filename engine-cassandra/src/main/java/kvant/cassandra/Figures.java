package kvant.cassandra;

import com.codahale.metrics.Counter;
import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.metrics.DefaultNodeMetric;
import com.datastax.oss.driver.api.core.metrics.NodeMetric;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import kvant.engine.EngineException;
import kvant.engine.MetricSink;

/// Counts requests to the cluster and their answers. Any thread may call.
final class Figures {

    /// The driver's metrics for each node.
    static final List<String> DRIVER_METRICS =
            List.of(DefaultNodeMetric.RETRIES.getPath(), DefaultNodeMetric.SPECULATIVE_EXECUTIONS.getPath());

    private record Kind(String operation, String consistency) {}

    // Concurrent.
    private final ConcurrentMap<Kind, LongAdder> requests = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, LongAdder> failures = new ConcurrentHashMap<>();
    private final LongAdder inFlight = new LongAdder();

    /// Counts a request that is being sent.
    void began(String operation, ConsistencyLevel level) {
        requests.computeIfAbsent(new Kind(operation, level.name()), _ -> new LongAdder())
                .increment();
        inFlight.increment();
    }

    /// Counts the end of a request.
    void ended() {
        inFlight.decrement();
    }

    /// Counts a failed request.
    void failed(EngineException reason) {
        failures.computeIfAbsent(nameOf(reason), _ -> new LongAdder()).increment();
    }

    void measure(CqlSession session, MetricSink sink) {
        for (Map.Entry<Kind, LongAdder> entry : requests.entrySet()) {
            sink.counter(
                    "kvant_cassandra_requests_total",
                    "Requests to the cluster.",
                    entry.getValue().sum(),
                    "operation",
                    entry.getKey().operation(),
                    "consistency",
                    entry.getKey().consistency());
        }
        for (Map.Entry<String, LongAdder> entry : failures.entrySet()) {
            sink.counter(
                    "kvant_cassandra_failures_total",
                    "Requests to the cluster that failed.",
                    entry.getValue().sum(),
                    "reason",
                    entry.getKey());
        }
        sink.gauge("kvant_cassandra_in_flight", "Requests to the cluster without an answer.", inFlight.sum());
        sink.counter(
                "kvant_cassandra_retries_total",
                "Attempts after the first one.",
                count(session, DefaultNodeMetric.RETRIES));
        sink.counter(
                "kvant_cassandra_speculative_total",
                "Gets that asked a second node because the first one was slow.",
                count(session, DefaultNodeMetric.SPECULATIVE_EXECUTIONS));
        sink.gauge("kvant_cassandra_nodes_up", "Nodes of the cluster that this one can use.", nodesUp(session));
        sink.gauge(
                "kvant_cassandra_nodes",
                "Nodes of the cluster that this one knows.",
                session.getMetadata().getNodes().size());
    }

    static long nodesUp(CqlSession session) {
        return session.getMetadata().getNodes().values().stream()
                .filter(node -> node.getState() == NodeState.UP)
                .count();
    }

    private static long count(CqlSession session, NodeMetric metric) {
        return session.getMetrics()
                .map(metrics -> {
                    long sum = 0;
                    for (Node node : session.getMetadata().getNodes().values()) {
                        sum += metrics.<Counter>getNodeMetric(node, metric)
                                .map(Counter::getCount)
                                .orElse(0L);
                    }
                    return sum;
                })
                .orElse(0L);
    }

    private static String nameOf(EngineException reason) {
        return switch (reason) {
            case EngineException.Unavailable _ -> "unavailable";
            case EngineException.OutcomeUnknown _ -> "outcome_unknown";
            case EngineException.TimedOut _ -> "timed_out";
            case EngineException.Busy _ -> "busy";
            case EngineException.Unsupported _ -> "unsupported";
            default -> "other";
        };
    }
}
