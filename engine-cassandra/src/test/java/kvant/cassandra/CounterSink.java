package kvant.cassandra;

import kvant.engine.Distribution;
import kvant.engine.MetricSink;

/// Takes counters; leaves the rest.
interface CounterSink extends MetricSink {

    @Override
    default void gauge(String name, String help, double value, String... labels) {}

    @Override
    default void histogram(String name, String help, Distribution values, String... labels) {}
}
