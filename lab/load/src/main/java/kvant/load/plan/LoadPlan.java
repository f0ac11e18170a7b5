package kvant.load.plan;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import kvant.load.dialect.RequestEncoder;
import kvant.load.http.Target;
import kvant.load.net.Trust;
import kvant.load.workload.Workload;
import kvant.text.Check;
import kvant.text.Drafts;

/// The specification of a run.
///
/// @param trust accepted certificates if the target uses `https`
/// @param headers lines of the form `Name: value`, for every request
/// @param body of a plain request
/// @param firstInsert number of the first key that the run inserts
/// @param verify whether the bodies of gets are compared with the values put
/// @param slowShare share of the requests, the slowest ones, that are kept individually; 0 for none
public record LoadPlan(
        Target target,
        Trust trust,
        Workload workload,
        List<String> headers,
        byte[] body,
        Clients clients,
        Pace pace,
        long firstInsert,
        long seed,
        boolean verify,
        double slowShare) {

    /// Fields for the message length, which the generator writes itself, and fields that request another protocol.
    private static final Set<String> OWN = Set.of("content-length", "transfer-encoding", "upgrade", "http2-settings");

    /// Fields that may occur only once; servers refuse duplicates.
    private static final Set<String> SINGLE = Set.of("host", "authorization");

    public LoadPlan {
        headers = List.copyOf(headers);
        workload.dialect().check(target);
        Check.that(
                headers.isEmpty() || workload.dialect().isHttp(),
                "headers ('-H', '--token-file') are of HTTP: the dialect '"
                        + workload.dialect().key() + "' has none");
        for (String header : headers) {
            Check.that(
                    header.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\\x20-\\x7e\\t]*"),
                    "'" + header + "' is not a header such as 'Name: value'");
        }
        checkNames(headers.stream().map(LoadPlan::name).toList());
        Check.that(
                firstInsert >= 0 && firstInsert <= workload.keyText().capacity(),
                "the first key must be from 0 to what the digits of a key can tell");
        Check.that(slowShare >= 0 && slowShare <= 1, "the share of the slowest requests must be from 0 to 1");
    }

    private static String name(String header) {
        return header.substring(0, header.indexOf(':')).toLowerCase(Locale.ROOT);
    }

    private static void checkNames(List<String> names) {
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            Check.that(
                    !OWN.contains(name),
                    "'" + name + "' is no header to choose: the generator writes itself"
                            + " where a request ends, and speaks HTTP/1.1 alone");
            Check.that(!SINGLE.contains(name) || names.indexOf(name) == i, "the header '" + name + "' is there twice");
        }
    }

    /// True if its threads have realtime priority. Excluded for a closed loop, which would never yield.
    public boolean isRealtime() {
        return clients.realtime() && !pace.isClosed();
    }

    public static LoadPlan of(Target target, Workload workload, Clients clients, Pace pace) {
        return Drafts.made(LoadPlan.class, new Draft(target, workload, clients, pace));
    }

    /// An encoder of its requests, for one loop.
    public RequestEncoder encoder() {
        return workload.encoder(target, headers, body);
    }

    /// This plan with some of it changed: `plan.with(p -> p.seed = 2)`.
    public LoadPlan with(Consumer<Draft> change) {
        return Drafts.changed(LoadPlan.class, this, new Draft(target, workload, clients, pace), change);
    }

    /// A builder for plans.
    public static final class Draft {

        public Target target;
        public Trust trust = Trust.usual();
        public Workload workload;
        public List<String> headers = List.of();
        public byte[] body = new byte[0];
        public Clients clients;
        public Pace pace;
        public long firstInsert;
        public long seed = 1;
        public boolean verify;
        public double slowShare;

        private Draft(Target target, Workload workload, Clients clients, Pace pace) {
            this.target = target;
            this.workload = workload;
            this.clients = clients;
            this.pace = pace;
            firstInsert = workload.mix().needsKeys() ? workload.keys() : 0;
        }
    }
}
