package kvant.load.result;

import java.util.Locale;
import kvant.load.plan.Arrivals;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.result.RecordJson.LeftOut;
import kvant.load.result.RecordJson.Unwrapped;
import kvant.load.workload.Mix;
import kvant.load.workload.Workload;
import org.jspecify.annotations.Nullable;

/// The parameters of a run as stored in its file. Two results are comparable if these are equal.
public record Asked(
        String url, long seed, boolean verify, AskedWorkload workload, AskedClients clients, AskedPace pace) {

    public static Asked of(LoadPlan plan) {
        Clients clients = plan.clients();
        Pace pace = plan.pace();
        return new Asked(
                plan.target().url(),
                plan.seed(),
                plan.verify(),
                AskedWorkload.of(plan.workload()),
                new AskedClients(
                        clients.connections(),
                        clients.threads(),
                        clients.depth(),
                        clients.timeout().toNanos(),
                        plan.isRealtime()),
                new AskedPace(
                        name(pace.law()),
                        pace.isClosed() ? Double.NaN : pace.rate(),
                        pace.duration().toNanos(),
                        pace.window().toNanos()));
    }

    /// A workload. One that repeats the same URL has only a name and a method.
    ///
    /// @param method of a plain request, null for others
    /// @param dialect protocol of the requests; empty in a file from before there were several
    /// @param keyed null for a plain URL
    public record AskedWorkload(
            String name,
            @LeftOut @Nullable String method,
            String dialect,
            @Unwrapped @Nullable Keyed keyed) {

        private static AskedWorkload of(Workload workload) {
            String dialect = workload.dialect().key();
            return workload.plain()
                    ? new AskedWorkload(workload.name(), workload.method(), dialect, null)
                    : new AskedWorkload(workload.name(), null, dialect, Keyed.of(workload));
        }
    }

    /// Requests with keys. The shares of the operations are those of a [Mix] rounded to three decimals, so that they
    /// may not add up to 1.
    ///
    /// @param mostScanned maximum records of a scan; null without scans, and in older files
    public record Keyed(
            long keys,
            String keyDistribution,
            String values,
            double hits,
            @LeftOut @Nullable Long mostScanned,
            @Unwrapped Mix mix) {

        private static Keyed of(Workload workload) {
            Mix mix = workload.mix();
            return new Keyed(
                    workload.keys(),
                    workload.keyPlan().toString(),
                    workload.values().text(),
                    workload.hits(),
                    mix.scan() > 0 ? (long) workload.mostScanned() : null,
                    mix);
        }
    }

    /// @param realtime whether its threads have realtime priority
    public record AskedClients(long connections, long threads, long depth, long timeoutNanos, boolean realtime) {}

    /// @param law of [Arrivals.Law], in lower case
    /// @param targetRate requests per second, NaN in a closed loop
    public record AskedPace(String law, double targetRate, long durationNanos, long windowNanos) {

        public boolean isClosed() {
            return law.equals(name(Arrivals.Law.CLOSED));
        }
    }

    private static String name(Arrivals.Law law) {
        return law.name().toLowerCase(Locale.ROOT);
    }
}
