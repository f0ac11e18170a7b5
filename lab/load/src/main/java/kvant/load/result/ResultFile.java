package kvant.load.result;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import kvant.load.record.Failure;
import kvant.load.record.Window;
import kvant.load.run.Validity;
import kvant.load.workload.Operation;
import kvant.text.Json;
import kvant.text.JsonFile;
import kvant.text.JsonValue;
import kvant.text.UserException;

/// Writes a [LoadResult] as JSON and reads it back: the schema of docs/load.md, version [#SCHEMA]. Members that are not
/// known here are passed over, and those that are missing are 0, empty or NaN: a later version may add some. Only the
/// requests that were due and the errors among them must be there: 0 in their place would make a broken file look well.
public final class ResultFile {

    public static final String SCHEMA = "kvant-load/1";

    private static final int MOST_WINDOWS = 100_000;

    private static final List<String> COLUMNS = List.of(
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
            "sendLagP99Nanos",
            "answered",
            "stolenNanos");

    private ResultFile() {}

    // --- writing ---------------------------------------------------------------------------------------------------

    public static String text(LoadResult result) {
        Json json = new Json();
        json.open().put("schema", SCHEMA);
        result.asked().write(json);
        writeOutcome(json, result);
        writeCounts(json, result);
        writeLatency(json, result);
        writeWindows(json, result);
        json.close();
        return json.toString();
    }

    private static void writeOutcome(Json json, LoadResult result) {
        json.put("startedAt", result.startedAt())
                .put("elapsedNanos", result.elapsedNanos())
                .put("complete", result.isComplete())
                .put("partial", result.partial())
                .put("validity", name(result.validity().grade()))
                .put("validityReason", result.validity().why())
                .put("achievedRate", result.achievedRate());
        LoadResult.Warmup warmup = result.warmup();
        json.open("warmup")
                .put("mode", warmup.mode())
                .put("seconds", warmup.seconds())
                .put("stable", warmup.stable())
                .put("requests", warmup.requests())
                .put("answered", warmup.answered())
                .put("errors", warmup.errors())
                .close();
        LoadResult.Generator generator = result.generator();
        json.open("generator")
                .put("cpuNanos", generator.cpuNanos())
                .put("requestsWithWarmup", generator.requestsWithWarmup())
                .put("busiestThread", generator.busiestThread())
                .close();
        HostFile.write(json.open("host"), result.host());
        json.close();
    }

    private static void writeCounts(Json json, LoadResult result) {
        LoadResult.Requests requests = result.requests();
        json.open("requests")
                .put("due", requests.due())
                .put("sent", requests.sent())
                .put("unsent", requests.unsent())
                .put("answered", requests.answered())
                .put("followUps", requests.followUps());
        json.open("failed");
        requests.failed().forEach((failure, count) -> json.put(name(failure), count));
        json.close()
                .put("unexpectedStatus", requests.unexpectedStatus())
                .put("wrongBodies", requests.wrongBodies())
                .put("errors", requests.errors())
                .close();
        json.open("statuses");
        result.statuses().forEach((status, count) -> json.put(status.toString(), count));
        json.close();
        LoadResult.Connections connections = result.connections();
        json.open("connections")
                .put("reconnects", connections.reconnects())
                .put("refused", connections.refused())
                .put("strays", connections.strays())
                .put("lastTrouble", connections.lastTrouble())
                .put("address", connections.address())
                .put("bytesIn", connections.bytesIn())
                .put("bytesOut", connections.bytesOut())
                .close();
        json.open("keys")
                .put("distinctAsked", result.keys().distinctAsked())
                .put("inserted", result.keys().inserted())
                .close();
    }

    private static void writeLatency(Json json, LoadResult result) {
        LoadResult.Latency latency = result.latency();
        json.open("latency");
        latency.response().write(json, "response");
        if (!result.asked().pace().isClosed()) {
            latency.punctual().write(json, "punctual");
            latency.service().write(json, "service");
            latency.sendLag().write(json, "sendLag");
            latency.acceptedService().write(json, "acceptedService");
        }
        latency.errors().write(json, "errors");
        latency.acceptedResponse().write(json, "acceptedResponse");
        latency.refusedService().write(json, "refusedService");
        json.close();
        json.open("operations");
        result.operations().forEach((operation, distribution) -> distribution.write(json, name(operation)));
        json.close();
    }

    private static void writeWindows(Json json, LoadResult result) {
        json.openList("windowColumns");
        COLUMNS.forEach(json::add);
        json.closeList().openList("windows");
        result.windows().forEach(window -> json.add(row(window)));
        json.closeList().openList("blocks");
        result.blocks().forEach(json::add);
        json.closeList();
    }

    /// Percentiles of nothing are no numbers.
    private static double[] row(Window window) {
        double none = window.completed() == 0 ? Double.NaN : 0;
        return new double[] {
            window.fromNanos(),
            window.lengthNanos(),
            window.completed(),
            window.errors(),
            none + window.p50Nanos(),
            none + window.p90Nanos(),
            none + window.p99Nanos(),
            none + window.p999Nanos(),
            none + window.maxNanos(),
            window.answered() == 0 ? Double.NaN : window.serviceP99Nanos(),
            window.lagP99Nanos() == 0 ? Double.NaN : window.lagP99Nanos(), // nothing was sent, or there is no schedule
            window.answered(),
            window.stolenNanos()
        };
    }

    private static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    // --- reading ---------------------------------------------------------------------------------------------------

    /// @throws UserException in one line that names the file
    public static LoadResult read(Path file) {
        return read(JsonValue.read(file, "a result of 'kvant load'"), file.toString());
    }

    /// @param label what errors call the text
    /// @throws UserException in one line that begins with the label
    public static LoadResult read(String text, String label) {
        return read(new JsonValue(JsonFile.object(text, label, "a result of 'kvant load'")), label);
    }

    private static LoadResult read(JsonValue json, String label) {
        if (!SCHEMA.equals(json.at("schema").text())) {
            throw new UserException(label + " is not a result of 'kvant load' (schema " + SCHEMA + ")");
        }
        return new LoadResult(
                Asked.read(json),
                json.at("startedAt").text(),
                json.at("elapsedNanos").whole(),
                json.at("partial").text(),
                new Validity(
                        grade(json.at("validity").text()),
                        json.at("validityReason").text()),
                json.at("achievedRate").number(),
                warmup(json.at("warmup")),
                generator(json.at("generator")),
                HostFile.read(json.at("host")),
                requests(json.at("requests"), label),
                statuses(json.at("statuses")),
                connections(json.at("connections")),
                new LoadResult.Keys(
                        json.at("keys").at("distinctAsked").whole(),
                        json.at("keys").at("inserted").whole()),
                latency(json.at("latency")),
                operations(json.at("operations")),
                windows(json),
                json.at("blocks").texts());
    }

    /// One that is not known says nothing for the result.
    private static Validity.Grade grade(String name) {
        for (Validity.Grade grade : Validity.Grade.values()) {
            if (name(grade).equals(name)) {
                return grade;
            }
        }
        return Validity.Grade.INVALID;
    }

    private static LoadResult.Warmup warmup(JsonValue json) {
        return new LoadResult.Warmup(
                json.at("mode").text(),
                json.at("seconds").number(),
                json.at("stable").flag(),
                json.at("requests").whole(),
                json.at("answered").whole(),
                json.at("errors").whole());
    }

    private static LoadResult.Generator generator(JsonValue json) {
        return new LoadResult.Generator(
                json.at("cpuNanos").whole(),
                json.at("requestsWithWarmup").whole(),
                json.at("busiestThread").number());
    }

    private static LoadResult.Requests requests(JsonValue json, String label) {
        Map<Failure, Long> failed = new EnumMap<>(Failure.class);
        for (Failure failure : Failure.values()) {
            failed.put(failure, json.at("failed").at(name(failure)).whole());
        }
        return new LoadResult.Requests(
                required(json, "due", label),
                json.at("sent").whole(),
                json.at("unsent").whole(),
                json.at("answered").whole(),
                json.at("followUps").whole(),
                failed,
                json.at("unexpectedStatus").whole(),
                json.at("wrongBodies").whole(),
                required(json, "errors", label));
    }

    private static long required(JsonValue requests, String name, String label) {
        if (requests.at(name).value() instanceof Number count) {
            return count.longValue();
        }
        throw new UserException(label + ": 'requests." + name + "' is missing");
    }

    private static Map<Integer, Long> statuses(JsonValue json) {
        Map<Integer, Long> statuses = new TreeMap<>();
        json.members().forEach((status, count) -> {
            if (status.matches("[1-9]\\d{2}")) {
                statuses.put(Integer.valueOf(status), count.whole());
            }
        });
        return statuses;
    }

    private static LoadResult.Connections connections(JsonValue json) {
        return new LoadResult.Connections(
                json.at("reconnects").whole(),
                json.at("refused").whole(),
                json.at("strays").whole(),
                json.at("lastTrouble").text(),
                json.at("address").text(),
                json.at("bytesIn").whole(),
                json.at("bytesOut").whole());
    }

    private static LoadResult.Latency latency(JsonValue json) {
        return new LoadResult.Latency(
                Distribution.read(json.at("response")),
                Distribution.read(json.at("punctual")),
                Distribution.read(json.at("service")),
                Distribution.read(json.at("sendLag")),
                Distribution.read(json.at("acceptedService")),
                Distribution.read(json.at("errors")),
                Distribution.read(json.at("acceptedResponse")),
                Distribution.read(json.at("refusedService")));
    }

    private static Map<Operation, Distribution> operations(JsonValue json) {
        Map<Operation, Distribution> operations = new EnumMap<>(Operation.class);
        for (Operation operation : Operation.values()) {
            JsonValue own = json.at(name(operation));
            if (!own.isMissing()) {
                operations.put(operation, Distribution.read(own));
            }
        }
        return operations;
    }

    private static List<Window> windows(JsonValue json) {
        List<String> columns = json.at("windowColumns").texts();
        int[] places = COLUMNS.stream().mapToInt(columns::indexOf).toArray();
        List<Window> windows = new ArrayList<>();
        for (JsonValue row : json.at("windows").list()) {
            if (windows.size() < MOST_WINDOWS) {
                windows.add(window(row.list(), places));
            }
        }
        return windows;
    }

    private static Window window(List<JsonValue> row, int[] places) {
        long[] cells = new long[places.length];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = places[i] >= 0 && places[i] < row.size()
                    ? row.get(places[i]).whole()
                    : 0;
        }
        long answered = places[11] < 0 ? cells[2] : cells[11]; // files from before this column
        return new Window(
                cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6], cells[7], cells[8], cells[9],
                cells[10], answered, cells[12]);
    }
}
