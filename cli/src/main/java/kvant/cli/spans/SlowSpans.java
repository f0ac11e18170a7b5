package kvant.cli.spans;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.server.request.RequestTrace.TraceParent;
import kvant.server.service.SlowRequest;

/// Lays a slow request out as spans: one for the request, below the client's where that is known, one for each stage
/// that took any time, and of a write those of its commit. Keys stay in the node.
final class SlowSpans {

    private static final AttributeKey<List<String>> MEANWHILE = AttributeKey.stringArrayKey("kvant.meanwhile");

    private final Tracer tracer;

    /// @param tracer hands on what has ended
    SlowSpans(Tracer tracer) {
        this.tracer = tracer;
    }

    /// @param causes what the process did besides
    /// @param endedEpochNanos the end of the request, since 1970
    void add(SlowRequest request, List<String> causes, long endedEpochNanos) {
        long begin = endedEpochNanos - request.totalNanos();
        Span span = begun(request.operation(), contextOf(request), SpanKind.SERVER, begin)
                .setAttribute("kvant.operation", request.operation())
                .setAttribute("kvant.result", request.result())
                .setAttribute("kvant.request_id", request.trace().idText());
        if (!causes.isEmpty()) {
            span.setAttribute(MEANWHILE, causes);
        }
        if (request.result().equals("failed")) {
            span.setStatus(StatusCode.ERROR);
        }
        Context inside = Context.root().with(span);
        long at = stage(inside, "read", begin, request.readNanos());
        at = stage(inside, "queue", at, request.queueNanos());
        long engine = at;
        at = engine(inside, request, engine);
        at = stage(inside, "deliver", at, request.deliverNanos());
        stage(inside, "write", at, request.writeNanos());
        span.end(endedEpochNanos, TimeUnit.NANOSECONDS);
    }

    private long engine(Context inside, SlowRequest request, long begin) {
        SlowRequest.Commit commit = request.commit();
        if (commit == null) {
            return stage(inside, "engine", begin, request.engineNanos());
        }
        Span span = begun("commit", inside, SpanKind.INTERNAL, begin);
        Context below = Context.root().with(span);
        long at = stage(below, "wait", begin, commit.waitNanos());
        at = stage(below, "append", at, commit.appendNanos());
        at = stage(below, "sync", at, commit.syncNanos());
        stage(below, "apply", at, commit.applyNanos());
        long end = begin + request.engineNanos();
        span.end(end, TimeUnit.NANOSECONDS);
        return end;
    }

    /// @return its end
    private long stage(Context parent, String name, long begin, long nanos) {
        if (nanos > 0) {
            begun(name, parent, SpanKind.INTERNAL, begin).end(begin + nanos, TimeUnit.NANOSECONDS);
        }
        return begin + nanos;
    }

    private Span begun(String name, Context parent, SpanKind kind, long begin) {
        SpanBuilder span = tracer.spanBuilder(name)
                .setParent(parent)
                .setSpanKind(kind)
                .setStartTimestamp(begin, TimeUnit.NANOSECONDS);
        return span.startSpan();
    }

    private static Context contextOf(SlowRequest request) {
        TraceParent parent = request.trace().parent();
        return parent == null
                ? Context.root()
                : Context.root()
                        .with(Span.wrap(SpanContext.createFromRemoteParent(
                                parent.traceId(), parent.spanId(), TraceFlags.getSampled(), TraceState.getDefault())));
    }
}
