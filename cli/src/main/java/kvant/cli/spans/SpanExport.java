package kvant.cli.spans;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.logging.Logger;
import kvant.server.request.RequestTrace.TraceParent;
import kvant.server.service.SlowFeed;
import kvant.server.service.SlowRequest;
import org.jspecify.annotations.Nullable;

/// Sends slow requests to a collector as spans, by OTLP over HTTP, on its own thread. While a collector is unreachable,
/// the spans are lost and one line a minute is logged.
public final class SpanExport implements AutoCloseable {

    /// Maximum number of slow requests in one message.
    private static final int BATCH = 64;

    private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long WARN_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(2);
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final String TRACES = "/v1/traces";

    private static final System.Logger LOGGER = System.getLogger(SpanExport.class.getName());

    /// The exporter's logger, silenced because it logs every failure; this class logs one a minute. Strongly
    /// referenced: a garbage-collected logger loses its level.
    private static final Logger EXPORTER = Logger.getLogger("io.opentelemetry");

    // Constant.
    private final String endpoint;
    private final SlowFeed feed;
    private final Function<SlowRequest, List<String>> causes;
    private final SdkTracerProvider provider;
    private final OtlpHttpSpanExporter exporter;
    private final SlowSpans spans;
    private final Thread thread;

    // Belongs to the thread.
    private final List<SpanData> ended = new ArrayList<>();
    private long warnNanos = System.nanoTime();

    private volatile boolean closing;

    private SpanExport(
            String endpoint, Attributes resource, SlowFeed feed, Function<SlowRequest, List<String>> causes) {
        EXPORTER.setLevel(java.util.logging.Level.OFF);
        this.endpoint = endpoint;
        this.feed = feed;
        this.causes = causes;
        this.exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(endpoint)
                .setTimeout(TIMEOUT)
                .setConnectTimeout(TIMEOUT)
                .setRetryPolicy(null)
                .build();
        this.provider = SdkTracerProvider.builder()
                .setResource(Resource.create(resource))
                .addSpanProcessor(new Collecting())
                .build();
        this.spans = new SlowSpans(provider.get("kvant"));
        this.thread = Thread.ofPlatform().name("kvant-spans").daemon().unstarted(this::run);
    }

    /// Collects ended spans, which are sent in batches.
    private final class Collecting implements SpanProcessor {

        @Override
        public void onStart(Context parent, ReadWriteSpan span) {}

        @Override
        public boolean isStartRequired() {
            return false;
        }

        @Override
        public void onEnd(ReadableSpan span) {
            ended.add(span.toSpanData());
        }

        @Override
        public boolean isEndRequired() {
            return true;
        }
    }

    /// @param url of the collector, such as `http://127.0.0.1:4318`; the path for traces is added if missing
    /// @param service identity of this node: its version and address
    /// @param causes activities of the process during a request
    public static SpanExport start(
            String url, String version, String service, SlowFeed feed, Function<SlowRequest, List<String>> causes) {
        String base = url.replaceFirst("/+$", "");
        Attributes resource = Attributes.builder()
                .put("service.name", "kvant")
                .put("service.version", version)
                .put("service.instance.id", service)
                .build();
        SpanExport export = new SpanExport(base.endsWith(TRACES) ? base : base + TRACES, resource, feed, causes);
        export.thread.start();
        return export;
    }

    private void run() {
        while (!closing) {
            if (!sendSome()) {
                LockSupport.parkNanos(EVERY_NANOS);
            }
        }
        sendSome();
    }

    /// @return whether there were any requests
    private boolean sendSome() {
        Instant now = Instant.now();
        long epochNanos = now.getEpochSecond() * NANOS_PER_SECOND + now.getNano();
        long nowNanos = System.nanoTime();
        int count = 0;
        for (SlowRequest request = feed.poll(); request != null; request = count < BATCH ? feed.poll() : null) {
            spans.add(request, causes.apply(request), epochNanos - (nowNanos - request.endedNanos()));
            count++;
        }
        if (count > 0) {
            send(count);
        }
        return count > 0;
    }

    private void send(int count) {
        CompletableResultCode sent = exporter.export(List.copyOf(ended));
        ended.clear();
        sent.join(TIMEOUT.plusSeconds(1).toMillis(), TimeUnit.MILLISECONDS);
        if (sent.isSuccess()) {
            feed.sent(count);
        } else {
            feed.failed(count);
            warn(sent.getFailureThrowable());
        }
    }

    private void warn(@Nullable Throwable reason) {
        long now = System.nanoTime();
        if (now - warnNanos >= 0) {
            warnNanos = now + WARN_NANOS;
            String why = reason == null || reason.getMessage() == null ? "no answer in time" : reason.getMessage();
            LOGGER.log(
                    Level.WARNING,
                    "the collector {0} does not take spans of slow requests, and they are lost: {1}",
                    endpoint,
                    why);
        }
    }

    /// Sends the remaining spans, within a time limit, and ends.
    @Override
    public void close() {
        closing = true;
        LockSupport.unpark(thread);
        try {
            thread.join(CLOSE_WAIT);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        exporter.shutdown();
        provider.shutdown();
    }

    /// Converts a slow request to spans: one for the request, as a child of the client's span if known, one for each
    /// stage that took time, and for a write those of its commit. Keys are not exported.
    static final class SlowSpans {

        private static final AttributeKey<List<String>> MEANWHILE = AttributeKey.stringArrayKey("kvant.meanwhile");

        private final Tracer tracer;

        /// @param tracer forwards ended spans
        SlowSpans(Tracer tracer) {
            this.tracer = tracer;
        }

        /// @param causes concurrent activities of the process
        /// @param endedEpochNanos end of the request, since 1970
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

        /// @return the end of the stage
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
                                    parent.traceId(),
                                    parent.spanId(),
                                    TraceFlags.getSampled(),
                                    TraceState.getDefault())));
        }
    }
}
