package kvant.server.observe;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import kvant.server.request.Outcome;
import kvant.server.request.PageSource;
import kvant.server.service.RequestHandler;
import kvant.server.service.SlowRequest;
import kvant.text.Json;
import org.jspecify.annotations.Nullable;

/// The slowest requests of each of the last minutes, with their stages and the process' activities at that time; as
/// JSON or as a table. It shows keys: so it is for operators, and available as `GET /debug/slow` only when enabled.
///
/// Any thread may call.
public final class SlowPage implements PageSource {

    private static final double NANOS_PER_MILLI = 1e6;
    private static final Comparator<SlowRequest> SLOWEST_FIRST =
            Comparator.comparingLong(SlowRequest::totalNanos).reversed();

    private final RequestHandler handler;
    private final ActivityLog activities;
    private final boolean keys;

    public SlowPage(RequestHandler handler, ActivityLog activities) {
        this(handler, activities, true);
    }

    private SlowPage(RequestHandler handler, ActivityLog activities, boolean keys) {
        this.handler = handler;
        this.activities = activities;
        this.keys = keys;
    }

    /// The same with every key left out.
    public SlowPage withoutKeys() {
        return new SlowPage(handler, activities, false);
    }

    @Override
    public Outcome.Page page(String accept) {
        boolean plain = accept.contains("text/plain");
        return new Outcome.Page(
                plain ? "text/plain; charset=utf-8" : "application/json",
                text(!plain).getBytes(StandardCharsets.UTF_8));
    }

    public String text(boolean json) {
        List<SlowRequest> slowest = new ArrayList<>(handler.slowest());
        slowest.sort(SLOWEST_FIRST);
        return json ? json(slowest) : table(slowest);
    }

    private String table(List<SlowRequest> slowest) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%-24s %-6s %-7s %10s %9s %9s %9s %9s %9s  %s%n",
                "ended",
                "what",
                "result",
                "total ms",
                "read",
                "queue",
                "engine",
                "deliver",
                "write",
                "in the engine; concurrent; request, trace; key"));
        for (SlowRequest each : slowest) {
            List<String> meanwhile = meanwhile(each);
            text.append(String.format(
                    Locale.ROOT,
                    "%-24s %-6s %-7s %10.3f %9.3f %9.3f %9.3f %9.3f %9.3f  %s; %s; %s; %s%n",
                    Instant.ofEpochMilli(each.endedMillis()),
                    each.operation(),
                    each.result(),
                    millis(each.totalNanos()),
                    millis(each.readNanos()),
                    millis(each.queueNanos()),
                    millis(each.engineNanos()),
                    millis(each.deliverNanos()),
                    millis(each.writeNanos()),
                    commit(each.commit()),
                    meanwhile.isEmpty() ? "-" : String.join(", ", meanwhile),
                    each.trace().idText()
                            + (each.trace().parent() == null
                                    ? ""
                                    : ", " + each.trace().traceText()),
                    keyOf(each)));
        }
        return text.toString();
    }

    private static String commit(SlowRequest.@Nullable Commit commit) {
        return commit == null
                ? "-"
                : String.format(
                        Locale.ROOT,
                        "wait %.3f, append %.3f, sync %.3f, apply %.3f",
                        millis(commit.waitNanos()),
                        millis(commit.appendNanos()),
                        millis(commit.syncNanos()),
                        millis(commit.applyNanos()));
    }

    /// The process' background activities during a request, each with its name and duration.
    public List<String> meanwhile(SlowRequest request) {
        List<String> names = new ArrayList<>();
        for (ActivityLog.Activity each : activities.between(request.beganNanos(), request.endedNanos())) {
            names.add(String.format(Locale.ROOT, "%s %.1f ms", each.kind(), millis(overlap(each, request))));
        }
        return names;
    }

    private String json(List<SlowRequest> slowest) {
        Json page = new Json().open().openList("requests");
        for (SlowRequest each : slowest) {
            json(page, each);
        }
        return page.closeList().close().toString();
    }

    private void json(Json page, SlowRequest each) {
        page.open()
                .put("ended", Instant.ofEpochMilli(each.endedMillis()).toString())
                .put("operation", each.operation())
                .put("result", each.result())
                .put("key", keyOf(each))
                .put("requestId", each.trace().idText())
                .put("traceId", each.trace().traceText())
                .put("totalMillis", millis(each.totalNanos()))
                .open("stages")
                .put("read", millis(each.readNanos()))
                .put("queue", millis(each.queueNanos()))
                .put("engine", millis(each.engineNanos()))
                .put("deliver", millis(each.deliverNanos()))
                .put("write", millis(each.writeNanos()))
                .close();
        SlowRequest.Commit commit = each.commit();
        if (commit != null) {
            page.open("commit")
                    .put("wait", millis(commit.waitNanos()))
                    .put("append", millis(commit.appendNanos()))
                    .put("sync", millis(commit.syncNanos()))
                    .put("apply", millis(commit.applyNanos()))
                    .close();
        }
        page.openList("meanwhile");
        for (ActivityLog.Activity activity : activities.between(each.beganNanos(), each.endedNanos())) {
            page.open()
                    .put("kind", activity.kind())
                    .put("millis", millis(overlap(activity, each)))
                    .close();
        }
        page.closeList().close();
    }

    private String keyOf(SlowRequest each) {
        return keys ? each.key() : "";
    }

    private static long overlap(ActivityLog.Activity activity, SlowRequest request) {
        return activity.overlapNanos(request.beganNanos(), request.endedNanos());
    }

    private static double millis(long nanos) {
        return nanos / NANOS_PER_MILLI;
    }
}
