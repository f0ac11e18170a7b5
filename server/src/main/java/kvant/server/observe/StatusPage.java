package kvant.server.observe;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import kvant.engine.Health;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.request.Outcome;
import kvant.server.request.PageSource;
import kvant.text.Json;
import org.jspecify.annotations.Nullable;

/// `GET /v0/status`: what runs here, since when, and how it does, as JSON.
///
/// Many clients ask for it often, some of them only whether anybody answers. So the engine is asked at most once a
/// second, by the thread that makes pages; any thread may call.
public final class StatusPage implements PageSource {

    /// For how long an answer of the engine is used.
    private static final long FRESH_NANOS = 1_000_000_000;

    private static final double NANOS_PER_SECOND = 1e9;

    // Constant.
    private final Identity identity;
    private final Supplier<Health> engine;
    private final HiddenPaths paths;
    private final LongSupplier nanos;
    private final long begun;

    // Atomic: when the engine was asked, or is being asked.
    private final AtomicLong asked;
    private volatile Health health;

    /// Which program and which engine.
    ///
    /// @param commit empty where it is not known
    public record Identity(String version, String commit, String engine) {

        public static final Identity UNKNOWN = new Identity("unknown", "", "unknown");
    }

    /// @param paths left out of what the engine says
    /// @param nanos a clock
    public StatusPage(Identity identity, Supplier<Health> engine, HiddenPaths paths, LongSupplier nanos) {
        this.identity = identity;
        this.engine = engine;
        this.paths = paths;
        this.nanos = nanos;
        this.begun = nanos.getAsLong();
        this.asked = new AtomicLong(begun);
        this.health = engine.get();
    }

    /// One call a second finds nothing ready, and has the engine asked.
    @Override
    public Outcome.@Nullable Page ready() {
        long now = nanos.getAsLong();
        long last = asked.get();
        boolean claimed = now - last > FRESH_NANOS && asked.compareAndSet(last, now);
        return claimed ? null : of(health, now);
    }

    @Override
    public Outcome.Page page(String accept) {
        Health answer = engine.get();
        health = answer;
        return of(answer, nanos.getAsLong());
    }

    private Outcome.Page of(Health state, long now) {
        Json json = Json.line()
                .open()
                .put("version", identity.version())
                .put("commit", identity.commit())
                .put("engine", identity.engine())
                .put("uptimeSeconds", (now - begun) / NANOS_PER_SECOND)
                .put("ready", state.ready())
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
