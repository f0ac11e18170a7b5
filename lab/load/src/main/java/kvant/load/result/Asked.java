package kvant.load.result;

import java.util.Locale;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.schedule.Arrivals;
import kvant.load.workload.Mix;
import kvant.load.workload.Workload;
import kvant.text.Json;
import kvant.text.JsonValue;
import org.jspecify.annotations.Nullable;

/// What a run was asked to do, as far as its file says: two results are comparable where this is the same.
public record Asked(
        String url, long seed, boolean verify, AskedWorkload workload, AskedClients clients, AskedPace pace) {

    public static Asked of(LoadPlan plan) {
        return new Asked(
                plan.target().url(),
                plan.seed(),
                plan.verify(),
                AskedWorkload.of(plan.workload()),
                AskedClients.of(plan),
                AskedPace.of(plan.pace()));
    }

    void write(Json json) {
        json.put("url", url).put("seed", seed).put("verify", verify);
        workload.write(json.open("workload"));
        json.close();
        json.open("clients")
                .put("connections", clients.connections)
                .put("threads", clients.threads)
                .put("depth", clients.depth)
                .put("timeoutNanos", clients.timeoutNanos)
                .put("realtime", clients.realtime)
                .close();
        json.open("pace")
                .put("law", pace.law)
                .put("targetRate", pace.targetRate)
                .put("durationNanos", pace.durationNanos)
                .put("windowNanos", pace.windowNanos)
                .close();
    }

    static Asked read(JsonValue json) {
        return new Asked(
                json.at("url").text(),
                json.at("seed").whole(),
                json.at("verify").flag(),
                AskedWorkload.read(json.at("workload")),
                AskedClients.read(json.at("clients")),
                AskedPace.read(json.at("pace")));
    }

    /// One that asks for the same URL every time has a name and a method alone.
    ///
    /// @param method of a plain request, empty for others
    /// @param dialect how the server was spoken to; empty in a file from before there were several
    /// @param mostScanned records of a scan at most; 0 without scans, and in a file from before it was written
    /// @param shares of the operations, null where the URL is all
    public record AskedWorkload(
            String name,
            String method,
            String dialect,
            long keys,
            String keyDistribution,
            String values,
            double hits,
            long mostScanned,
            @Nullable Shares shares) {

        static AskedWorkload of(Workload workload) {
            return workload.plain()
                    ? new AskedWorkload(
                            workload.name(),
                            workload.method(),
                            workload.dialect().key(),
                            0,
                            "",
                            "",
                            0,
                            0,
                            null)
                    : new AskedWorkload(
                            workload.name(),
                            "",
                            workload.dialect().key(),
                            workload.keys(),
                            workload.keyPlan().toString(),
                            workload.values().text(),
                            workload.hits(),
                            workload.mix().scan() > 0 ? workload.mostScanned() : 0,
                            Shares.of(workload.mix()));
        }

        private void write(Json json) {
            json.put("name", name);
            if (!method.isEmpty()) {
                json.put("method", method);
            }
            if (!dialect.isEmpty()) {
                json.put("dialect", dialect);
            }
            if (shares != null) {
                json.put("keys", keys)
                        .put("keyDistribution", keyDistribution)
                        .put("values", values)
                        .put("hits", hits);
                if (mostScanned != 0) {
                    json.put("mostScanned", mostScanned);
                }
                shares.write(json);
            }
        }

        private static AskedWorkload read(JsonValue json) {
            String name = json.at("name").text();
            String method = json.at("method").text();
            String dialect = json.at("dialect").text();
            if (json.at("keys").isMissing()) {
                return new AskedWorkload(name, method, dialect, 0, "", "", 0, 0, null);
            }
            return new AskedWorkload(
                    name,
                    method,
                    dialect,
                    json.at("keys").whole(),
                    json.at("keyDistribution").text(),
                    json.at("values").text(),
                    json.at("hits").number(),
                    json.at("mostScanned").isMissing()
                            ? 0
                            : json.at("mostScanned").whole(),
                    Shares.read(json));
        }
    }

    /// A [Mix] as it is written: with three decimals, which need not add up to 1 any more.
    public record Shares(double get, double update, double insert, double delete, double scan, double rmw) {

        private static Shares of(Mix mix) {
            return new Shares(mix.get(), mix.update(), mix.insert(), mix.delete(), mix.scan(), mix.rmw());
        }

        private void write(Json json) {
            json.put("get", get)
                    .put("update", update)
                    .put("insert", insert)
                    .put("delete", delete)
                    .put("scan", scan)
                    .put("rmw", rmw);
        }

        private static Shares read(JsonValue json) {
            return new Shares(
                    json.at("get").number(),
                    json.at("update").number(),
                    json.at("insert").number(),
                    json.at("delete").number(),
                    json.at("scan").number(),
                    json.at("rmw").number());
        }
    }

    /// @param realtime whether its threads ran before others
    public record AskedClients(long connections, long threads, long depth, long timeoutNanos, boolean realtime) {

        private static AskedClients of(LoadPlan plan) {
            Clients clients = plan.clients();
            return new AskedClients(
                    clients.connections(),
                    clients.threads(),
                    clients.depth(),
                    clients.timeout().toNanos(),
                    plan.isRealtime());
        }

        private static AskedClients read(JsonValue json) {
            return new AskedClients(
                    json.at("connections").whole(),
                    json.at("threads").whole(),
                    json.at("depth").whole(),
                    json.at("timeoutNanos").whole(),
                    json.at("realtime").flag());
        }
    }

    /// @param law of [Arrivals.Law], in lower case
    /// @param targetRate requests a second, NaN in a closed loop
    public record AskedPace(String law, double targetRate, long durationNanos, long windowNanos) {

        private static AskedPace of(Pace pace) {
            return new AskedPace(
                    pace.law().name().toLowerCase(Locale.ROOT),
                    pace.isClosed() ? Double.NaN : pace.rate(),
                    pace.duration().toNanos(),
                    pace.window().toNanos());
        }

        private static AskedPace read(JsonValue json) {
            return new AskedPace(
                    json.at("law").text(),
                    json.at("targetRate").number(),
                    json.at("durationNanos").whole(),
                    json.at("windowNanos").whole());
        }

        public boolean isClosed() {
            return law.equals(Arrivals.Law.CLOSED.name().toLowerCase(Locale.ROOT));
        }
    }
}
