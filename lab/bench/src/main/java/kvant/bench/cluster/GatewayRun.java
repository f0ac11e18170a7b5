package kvant.bench.cluster;

import java.util.Map;
import kvant.bench.process.Measured;
import kvant.text.Json;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// One run through the gateway or the bare driver. Times in microseconds, from when a request was due; CPU times are
/// for each request.
///
/// @param cassandraCpu of all servers
/// @param ownCpu of the gateway, or of the client
/// @param generatorCpu 0 for the client, which generates its load itself
record GatewayRun(
        double requestsWithWarmup,
        double answered,
        double errors,
        double unanswered,
        double rate,
        double p50Micros,
        double p99Micros,
        double p999Micros,
        double maxMicros,
        double cassandraCpu,
        double ownCpu,
        double generatorCpu) {

    private static final double MICROS_PER_MILLI = 1e3;
    private static final double NANOS_PER_MICRO = 1e3;

    /// Through the gateway.
    static GatewayRun of(Measured measured) {
        double asked = measured.result().sentWithWarmup();
        return new GatewayRun(
                asked,
                measured.counts().answeredCount(),
                measured.counts().errors(),
                measured.late(),
                measured.result().achievedRate(),
                measured.millis(50) * MICROS_PER_MILLI,
                measured.millis(99) * MICROS_PER_MILLI,
                measured.millis(99.9) * MICROS_PER_MILLI,
                measured.millis(100) * MICROS_PER_MILLI,
                0,
                0,
                measured.result().cpuNanos() / NANOS_PER_MICRO / Math.max(1, asked));
    }

    /// What [Slots#json()] says.
    static GatewayRun of(Map<String, @Nullable Object> answer) {
        return new GatewayRun(
                number(answer, "requestsWithWarmup"),
                number(answer, "answered"),
                number(answer, "errors"),
                number(answer, "unanswered"),
                number(answer, "rate"),
                number(answer, "p50Micros"),
                number(answer, "p99Micros"),
                number(answer, "p999Micros"),
                number(answer, "maxMicros"),
                0,
                0,
                0);
    }

    static double number(Map<String, @Nullable Object> object, String name) {
        if (object.get(name) instanceof Number number) {
            return number.doubleValue();
        }
        throw new UserException("no number '" + name + "' where one is needed");
    }

    GatewayRun withCpuNanos(long cassandra, long own) {
        double asked = Math.max(1, requestsWithWarmup) * NANOS_PER_MICRO;
        return new GatewayRun(
                requestsWithWarmup,
                answered,
                errors,
                unanswered,
                rate,
                p50Micros,
                p99Micros,
                p999Micros,
                maxMicros,
                cassandra / asked,
                own / asked,
                generatorCpu);
    }

    double failures() {
        return errors + unanswered;
    }

    /// Writes a member of the list that is open.
    void write(Json json) {
        json.open()
                .put("requestsWithWarmup", requestsWithWarmup)
                .put("answered", answered)
                .put("errors", errors)
                .put("unanswered", unanswered)
                .put("rate", rate)
                .put("p50Micros", p50Micros)
                .put("p99Micros", p99Micros)
                .put("p999Micros", p999Micros)
                .put("maxMicros", maxMicros)
                .put("cassandraCpu", cassandraCpu)
                .put("ownCpu", ownCpu)
                .put("generatorCpu", generatorCpu)
                .close();
    }
}
