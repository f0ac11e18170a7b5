package kvant.server.observe;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import kvant.engine.Health;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.request.Outcome;
import kvant.server.request.PageSource;
import kvant.text.Json;
import org.jspecify.annotations.Nullable;

/// `GET /v0/status`: program, engine, uptime and health of the node, as JSON.
///
/// Many clients ask for it often, some of them only to see whether the node answers. So the engine is asked at most
/// once a second, by the thread that makes pages, and one client waits for it. The others get its last answer and
/// that answer's age. If the engine does not answer for a second, the node is not ready. Any thread may call.
public final class StatusPage implements PageSource {

    /// Longest use of an answer of the engine, and longest time for the next.
    private static final long FRESH_NANOS = 1_000_000_000;

    private static final long NOT_ASKED = Long.MIN_VALUE;

    private static final double NANOS_PER_SECOND = 1e9;

    // Constant.
    private final Identity identity;
    private final String transport;
    private final Supplier<Health> engine;
    private final HiddenPaths paths;
    private final LongSupplier nanos;
    private final long begun;

    // Atomic.
    /// Time of the last decision to ask the engine.
    private final AtomicLong claimed;
    /// Whether a query of the engine is on its way.
    private volatile boolean asks;
    /// Start of the oldest unanswered query.
    private volatile long silentSince = NOT_ASKED;

    private volatile Answer last;

    /// An answer of the engine.
    ///
    /// @param nanos time of the query
    private record Answer(Health health, long nanos) {}

    /// The identity of program and engine.
    ///
    /// @param commit empty where it is not known
    /// @param durability as `--durability` names it; empty where the engine decides
    public record Identity(String version, String commit, String engine, String durability) {

        public static final Identity UNKNOWN = new Identity("unknown", "", "unknown", "");
    }

    /// @param transport network I/O of the event loops
    /// @param paths hidden in the engine's answers
    /// @param nanos a clock
    public StatusPage(
            Identity identity, String transport, Supplier<Health> engine, HiddenPaths paths, LongSupplier nanos) {
        this.identity = identity;
        this.transport = transport;
        this.engine = engine;
        this.paths = paths;
        this.nanos = nanos;
        this.begun = nanos.getAsLong();
        this.claimed = new AtomicLong(begun);
        this.last = new Answer(engine.get(), begun);
    }

    /// Returns null once a second, which has the engine asked, unless a query is already under way.
    @Override
    public Outcome.@Nullable Page ready() {
        long now = nanos.getAsLong();
        long before = claimed.get();
        if (!asks && now - before > FRESH_NANOS && claimed.compareAndSet(before, now)) {
            asks = true;
            silentSince = silentSince == NOT_ASKED ? now : silentSince;
            return null;
        }
        long since = silentSince;
        Answer answer = last;
        return of(since != NOT_ASKED && now - since > FRESH_NANOS ? silent(answer, now - since) : answer, now);
    }

    @Override
    public Outcome.Page page(String accept) {
        long now = nanos.getAsLong();
        try {
            last = new Answer(engine.get(), now);
        } finally {
            silentSince = NOT_ASKED;
            asks = false;
        }
        return of(last, nanos.getAsLong());
    }

    /// Resets the query, because it cannot run at the moment; the next caller tries again.
    @Override
    public void refused() {
        asks = false;
    }

    private static Answer silent(Answer before, long nanos) {
        List<Health.Check> checks = new ArrayList<>(before.health().checks());
        String detail = "has said nothing about itself for " + TimeUnit.NANOSECONDS.toSeconds(nanos) + " s";
        checks.add(new Health.Check("engine", false, detail));
        return new Answer(new Health(checks), before.nanos());
    }

    private Outcome.Page of(Answer answer, long now) {
        Health state = answer.health();
        Json json = Json.line()
                .open()
                .put("version", identity.version())
                .put("commit", identity.commit())
                .put("engine", identity.engine())
                .put("durability", identity.durability())
                .put("transport", transport)
                .put("uptimeSeconds", (now - begun) / NANOS_PER_SECOND)
                .put("ready", state.ready())
                .put("checkedSecondsAgo", Math.max(0, now - answer.nanos()) / NANOS_PER_SECOND)
                .openList("checks");
        for (Health.Check check : state.checks()) {
            json.open()
                    .put("name", check.name())
                    .put("ok", check.ok())
                    .put("detail", paths.hide(check.detail()))
                    .close();
        }
        String text = json.closeList().close() + "\n";
        return new Outcome.Page("application/json", text.getBytes(StandardCharsets.UTF_8));
    }
}
