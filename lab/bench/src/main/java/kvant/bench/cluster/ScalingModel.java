package kvant.bench.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import kvant.bench.figures.Ratio;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// Computes the costs of larger clusters from measured ones; the formulas are those of docs/scaling.md.
///
/// @param getSeconds CPU times of a get
/// @param putSeconds of a put
/// @param bytesPerKey on the disk of one replica
/// @param payloadBytes of a key and its value
record ScalingModel(
        Map<String, @Nullable Object> origin,
        Cost getSeconds,
        Cost putSeconds,
        double bytesPerKey,
        double payloadBytes,
        ScalingAssumptions assumed) {

    private static final int REPLICAS = 3;
    private static final int MOST_BUCKETS = 4096;
    private static final List<Integer> SIZES = List.of(3, 30, 300, 1000);
    private static final double HOURS_PER_MONTH = 730;
    private static final double SECONDS_PER_HOUR = 3600;
    private static final int LEAST_GATEWAYS = 2;
    private static final double FAILURES_PER_YEAR = 0.03;

    /// Of a message between servers, with its part of TCP and IP.
    private static final double HEAD_BYTES = 150;

    /// CPU time of a request, in seconds.
    private record Cost(double gateway, double cassandra) {}

    /// @param found what `kvant bench gateway --json` wrote
    static ScalingModel of(Map<String, @Nullable Object> found, ScalingAssumptions assumed) {
        Map<String, @Nullable Object> disk = object(found, "disk");
        return new ScalingModel(
                object(found, "origin"),
                cost(found, "get"),
                cost(found, "put"),
                GatewayRun.number(disk, "bytesPerKeyAndReplica"),
                GatewayRun.number(disk, "payloadBytes"),
                assumed);
    }

    private static Cost cost(Map<String, @Nullable Object> found, String operation) {
        Map<String, @Nullable Object> kind = object(object(found, "runs"), operation + " closed");
        if (!(kind.get("gateway") instanceof List<?> runs) || runs.isEmpty()) {
            throw new UserException("it has no runs through a gateway");
        }
        return new Cost(median(runs, "ownCpu") / 1e6, median(runs, "cassandraCpu") / 1e6);
    }

    private static double median(List<?> runs, String figure) {
        List<Double> values = new ArrayList<>();
        for (Object run : runs) {
            if (run instanceof Map<?, ?> map && map.get(figure) instanceof Number number) {
                values.add(number.doubleValue());
            }
        }
        if (values.isEmpty()) {
            throw new UserException("its runs have no '" + figure + "'");
        }
        return Ratio.median(values);
    }

    private static Map<String, @Nullable Object> object(Map<String, @Nullable Object> parent, String name) {
        if (!(parent.get(name) instanceof Map<?, ?> map)) {
            throw new UserException("it has no object '" + name + "'");
        }
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        map.forEach((key, value) -> members.put(String.valueOf(key), value));
        return members;
    }

    private String fact(String name) {
        return Objects.requireNonNullElse(origin.get(name), "unknown").toString();
    }

    private double mixed(double get, double put) {
        return assumed.readShare * get + (1 - assumed.readShare) * put;
    }

    /// Lines of Markdown.
    List<String> tables() {
        List<String> lines = new ArrayList<>();
        lines.add("Measured by `" + fact("command") + "`, commit " + fact("commit") + ", " + fact("date") + ", "
                + fact("machine") + "; three Cassandra nodes with small heaps on the same cores.");
        lines.addAll(List.of("", "| input | symbol | value |", "|---|---|---|"));
        for (String operation : List.of("get", "put")) {
            Cost cost = operation.equals("get") ? getSeconds : putSeconds;
            lines.add(text("| CPU of the gateway for a %s | c_g | %.0f us |", operation, cost.gateway() * 1e6));
            lines.add(text(
                    "| CPU of all replicas and the coordinator for a %s | c_c | %.0f us |",
                    operation, cost.cassandra() * 1e6));
        }
        lines.add(text(
                "| bytes on disk for a key of %.0f bytes with its value, each replica | b | %.0f |",
                payloadBytes, bytesPerKey));
        lines.addAll(List.of("", assumed.text(REPLICAS), ""));
        lines.add("| servers | "
                + String.join(
                        " | ", SIZES.stream().map(size -> text("%,d", size)).toList()) + " |");
        lines.add("|---|" + "---|".repeat(SIZES.size()));
        Map<String, List<String>> rows = new LinkedHashMap<>();
        for (int size : SIZES) {
            column(size)
                    .forEach((name, value) ->
                            rows.computeIfAbsent(name, _ -> new ArrayList<>()).add(value));
        }
        rows.forEach((name, values) -> lines.add("| " + name + " | " + String.join(" | ", values) + " |"));
        return lines;
    }

    private Map<String, String> column(int nodes) {
        double files = nodes * assumed.densityTb * 1e12;
        double keys = files / REPLICAS / bytesPerKey;
        double user = keys * payloadBytes;
        double rate =
                nodes * assumed.cores * assumed.utilisation / mixed(getSeconds.cassandra(), putSeconds.cassandra());
        double gatewayCores = rate * mixed(getSeconds.gateway(), putSeconds.gateway()) / assumed.utilisation;
        double gateways = Math.max(LEAST_GATEWAYS, Math.ceil(gatewayCores / assumed.gatewayCores));
        double buckets = user / (assumed.partitionMb * 1e6);
        double cores = nodes * assumed.cores + gateways * assumed.gatewayCores;
        double diskHour = files / assumed.fill / 1e9 * assumed.gbMonth / HOURS_PER_MONTH;
        double perMillion = 1e6 / (rate * SECONDS_PER_HOUR);
        Map<String, String> column = new LinkedHashMap<>();
        column.put("files on all disks, TB", text("%,.0f", files / 1e12));
        column.put("keys and values of users, TB", text("%,.1f", user / 1e12));
        column.put("keys, billions", text("%,.0f", keys / 1e9));
        column.put("requests/s at the peak", text("%,.0f", rate));
        column.put("gateways", text("%,.0f", gateways));
        column.put("cores in all", text("%,.0f", cores));
        column.put("connections of a server, from gateways (one each)", text("%,.0f", gateways));
        column.put("connections of a gateway, to servers", text("%,d", nodes));
        column.put("network of a server at the peak, Mbit/s", text("%,.0f", network(rate) / nodes * 8 / 1e6));
        column.put("buckets needed", text("%,.0f", buckets));
        column.put(
                "keyspaces of " + MOST_BUCKETS + " buckets",
                text("%,.0f", Math.max(1, Math.ceil(buckets / MOST_BUCKETS))));
        column.put(
                "hours to repair or replace a server",
                text("%,.1f", assumed.densityTb * 1e6 / assumed.streamMb / SECONDS_PER_HOUR));
        column.put("servers that fail in a year, at 3 %", text("%,.1f", nodes * FAILURES_PER_YEAR));
        column.put(
                "cost of a million requests at the peak",
                text("%.3f", (cores * assumed.coreHour + diskHour) * perMillion));
        column.put("of which disk", text("%.3f", diskHour * perMillion));
        return column;
    }

    /// Bytes a second between servers and to gateways: a coordinator forwards R - 1 copies of a put, and requests one
    /// digest for a get.
    private double network(double rate) {
        double put = (REPLICAS - 1) * (payloadBytes + 2 * HEAD_BYTES) + payloadBytes + 2 * HEAD_BYTES;
        double get = (REPLICAS - 2) * 3 * HEAD_BYTES + payloadBytes + 2 * HEAD_BYTES;
        return rate * mixed(get, put);
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
