package kvant.lab.report;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Locale;
import java.util.zip.Deflater;
import kvant.lab.load.Clients;
import kvant.lab.load.LoadPlan;
import kvant.lab.load.Pace;
import kvant.lab.load.RunResult;
import kvant.lab.load.Validity;
import kvant.lab.record.Failure;
import kvant.lab.record.Tally;
import kvant.lab.record.Window;
import kvant.lab.workload.Operation;
import kvant.lab.workload.Workload;
import org.HdrHistogram.Histogram;

/// A result for a program: the schema of docs/load.md, version [#SCHEMA].
///
/// All times are in nanoseconds, as the names say. Histograms are whole, in the compressed V2 encoding of HdrHistogram
/// in base64, so that a reader can compute any percentile and add results up.
public final class JsonReport {

    public static final String SCHEMA = "kvant-load/1";

    private final Json json = new Json();

    private JsonReport() {}

    public static String of(RunResult result) {
        JsonReport report = new JsonReport();
        report.json.open().put("schema", SCHEMA);
        report.asked(result.plan());
        report.outcome(result);
        report.counts(result);
        report.latencies(result);
        report.windows(result);
        report.json.close();
        return report.json.toString();
    }

    private void asked(LoadPlan plan) {
        Workload workload = plan.workload();
        json.put("url", plan.target().url()).put("seed", plan.seed()).put("verify", plan.verify());
        json.open("workload").put("name", workload.name());
        if (!workload.plain()) {
            json.put("keys", workload.keys())
                    .put("keyDistribution", workload.keyPlan().toString())
                    .put("values", workload.values().text())
                    .put("hits", workload.hits())
                    .put("get", workload.mix().get())
                    .put("update", workload.mix().update())
                    .put("insert", workload.mix().insert())
                    .put("delete", workload.mix().delete())
                    .put("scan", workload.mix().scan())
                    .put("rmw", workload.mix().rmw());
        }
        json.close();
        Clients clients = plan.clients();
        json.open("clients")
                .put("connections", clients.connections())
                .put("threads", clients.threads())
                .put("depth", clients.depth())
                .put("timeoutNanos", clients.timeout().toNanos())
                .close();
        Pace pace = plan.pace();
        json.open("pace")
                .put("law", pace.law().name().toLowerCase(Locale.ROOT))
                .put("targetRate", pace.isClosed() ? Double.NaN : pace.rate())
                .put("durationNanos", pace.duration().toNanos())
                .put("windowNanos", pace.window().toNanos())
                .close();
    }

    private void outcome(RunResult result) {
        Validity validity = result.validity();
        json.put("startedAt", result.startedAt().toString())
                .put("elapsedNanos", result.elapsedNanos())
                .put("complete", !result.isPartial())
                .put("partial", result.partial())
                .put("validity", validity.grade().name().toLowerCase(Locale.ROOT))
                .put("validityReason", validity.why())
                .put("achievedRate", result.achievedRate());
        json.open("warmup")
                .put(
                        "mode",
                        result.plan().pace().warmup().isNone()
                                ? "none"
                                : result.plan().pace().warmup().auto() ? "auto" : "fixed")
                .put("seconds", result.warmup().seconds())
                .put("stable", result.warmup().stable())
                .put("requests", result.warmup().requests())
                .put("errors", result.warmup().errors())
                .close();
        json.open("generator")
                .put("cpuNanos", result.cpuNanos())
                .put("requestsWithWarmup", result.sentWithWarmup())
                .put("busiestThread", result.busy())
                .close();
    }

    private void counts(RunResult result) {
        Tally tally = result.tally();
        json.open("requests")
                .put("due", tally.due())
                .put("sent", tally.sentCount())
                .put("unsent", tally.unsentCount())
                .put("answered", tally.answeredCount())
                .put("followUps", tally.followUpCount());
        json.open("failed");
        for (Failure failure : Failure.values()) {
            json.put(failure.name().toLowerCase(Locale.ROOT), tally.failedCount(failure));
        }
        json.close()
                .put("unexpectedStatus", tally.unexpectedCount())
                .put("wrongBodies", tally.wrongBodyCount())
                .put("errors", tally.errors())
                .close();
        json.open("statuses");
        for (int status = 100; status < Tally.STATUS_END; status++) {
            if (tally.statusCount(status) > 0) {
                json.put(Integer.toString(status), tally.statusCount(status));
            }
        }
        json.close();
        json.open("connections")
                .put("reconnects", result.reconnects())
                .put("refused", result.refusedConnects())
                .put("strays", result.strays())
                .put("lastTrouble", result.lastTrouble())
                .put("bytesIn", tally.bytesIn())
                .put("bytesOut", tally.bytesOut())
                .close();
        json.open("keys")
                .put("distinctAsked", result.distinctKeys())
                .put("inserted", result.insertedKeys())
                .close();
    }

    private void latencies(RunResult result) {
        json.open("latency");
        latency("response", result.sums().response());
        if (!result.plan().pace().isClosed()) {
            latency("service", result.sums().service());
            latency("sendLag", result.sums().lag());
            latency("acceptedService", result.sums().acceptedService());
        }
        latency("errors", result.sums().errors());
        latency("acceptedResponse", result.sums().acceptedResponse());
        latency("refusedService", result.sums().refused());
        json.close();
        json.open("operations");
        for (Operation operation : Summary.used(result)) {
            latency(operation.name().toLowerCase(Locale.ROOT), result.sums().operation(operation));
        }
        json.close();
    }

    private void latency(String name, Histogram histogram) {
        json.open(name).put("count", histogram.getTotalCount());
        if (histogram.getTotalCount() > 0) {
            json.put("meanNanos", histogram.getMean())
                    .put("stdDeviationNanos", histogram.getStdDeviation())
                    .put("minNanos", histogram.getMinValue())
                    .put("maxNanos", histogram.getMaxValue());
            json.open("percentilesNanos");
            for (double percentile : Percentiles.shown()) {
                json.put(Percentiles.name(percentile), histogram.getValueAtPercentile(percentile));
            }
            json.close();
            json.put("histogram", encoded(histogram));
        }
        json.close();
    }

    private void windows(RunResult result) {
        json.openList("windowColumns");
        for (String column : new String[] {
            "fromNanos",
            "lengthNanos",
            "completed",
            "errors",
            "p50Nanos",
            "p90Nanos",
            "p99Nanos",
            "p99.9Nanos",
            "maxNanos",
            "serviceP99Nanos",
            "sendLagP99Nanos"
        }) {
            json.add(column);
        }
        json.closeList();
        json.openList("windows");
        for (Window window : result.sums().windows()) {
            json.add(
                    window.fromNanos(),
                    window.lengthNanos(),
                    window.completed(),
                    window.errors(),
                    window.p50Nanos(),
                    window.p90Nanos(),
                    window.p99Nanos(),
                    window.p999Nanos(),
                    window.maxNanos(),
                    window.serviceP99Nanos(),
                    window.lagP99Nanos());
        }
        json.closeList();
        json.openList("blocks");
        for (Histogram block : result.sums().blocks()) {
            json.add(encoded(block));
        }
        json.closeList();
    }

    private static String encoded(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer, Deflater.BEST_COMPRESSION);
        return Base64.getEncoder().encodeToString(java.util.Arrays.copyOf(buffer.array(), length));
    }
}
