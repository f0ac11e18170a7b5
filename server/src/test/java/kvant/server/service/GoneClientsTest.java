package kvant.server.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.engine.Distribution;
import kvant.engine.MetricSink;
import kvant.server.ExecutorKind;
import kvant.server.MemoryEngine;
import kvant.server.admit.AdmissionOptions;
import kvant.server.admit.AnswerMemory;
import kvant.server.execute.CallExecutor;
import kvant.server.execute.PoolExecutor;
import kvant.server.execute.PoolOptions;
import kvant.server.execute.VirtualExecutor;
import kvant.server.request.Precondition;
import kvant.server.request.Request;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Clients that go before their requests are begun.
class GoneClientsTest {

    private final MemoryEngine engine = new MemoryEngine();
    private final SerialLoop loop = new SerialLoop();
    private final MemoryEngine.Gate gate = new MemoryEngine.Gate();
    private final List<RequestHandler> handlers = new ArrayList<>();

    private enum Kind {
        POOL,
        VIRTUAL
    }

    /// With one worker.
    private RequestHandler handler() {
        PoolOptions one = PoolOptions.classic(1).withQueue(10);
        ServiceOptions options = new ServiceOptions(1, 1000, one, null, AdmissionOptions.none());
        RequestHandler handler = new RequestHandler(
                engine,
                InstantSource.system(),
                options,
                new AnswerMemory(Long.MAX_VALUE / 2),
                ExecutorKind.ASYNC::open);
        handlers.add(handler);
        return handler;
    }

    @AfterEach
    void close() {
        engine.openGates();
        handlers.forEach(RequestHandler::close);
        loop.close();
        engine.close();
    }

    private static void awaitDropped(Told call) throws InterruptedException {
        assertThat(call.dropped.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(call.outcomes).isEmpty();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static Request.Get get(String key) {
        return new Request.Get(bytes(key), Precondition.Plain.NONE);
    }

    private static Request.Put put(String key) {
        return new Request.Put(bytes(key), bytes("v"), Request.Put.NO_TTL, Precondition.Plain.NONE, Request.USUAL_ACKS);
    }

    private Told submitted(RequestHandler handler, CompletionQueue mailbox, Request request) {
        Told call = new Told(mailbox);
        loop.execute(() -> handler.submit(call, request));
        return call;
    }

    @Test
    void readsThatWaitAreLeftOutWhileAllWorkersAreBusyAndWritesAreNot() throws Exception {
        engine.blockReads(gate);
        RequestHandler handler = handler();
        CompletionQueue mailbox = handler.mailbox(loop);
        Told busy = submitted(handler, mailbox, get("a"));
        await().until(() -> gate.waiting() == 1);
        List<Told> reads = List.of(
                submitted(handler, mailbox, get("b")),
                submitted(handler, mailbox, Request.Scan.between(bytes("b"), null, 1)));
        Told write = submitted(handler, mailbox, put("c"));

        loop.execute(() -> {
            reads.forEach(Call::abandon);
            write.abandon();
        });

        for (Told read : reads) {
            awaitDropped(read); // the worker is still in the engine
        }
        assertThat(write.dropped.getCount()).isOne();
        assertThat(engine.stored(bytes("c"))).isNull();
        engine.blockReads(null);
        gate.open();
        awaitDropped(write);
        await().until(() -> busy.outcomes.size() == 1);
        assertThat(engine.stored(bytes("c"))).isEqualTo(bytes("v"));
        assertThat(engine.calls()).noneMatch(call -> call.contains(" 62"));
        assertThat(counted(handler)).isEqualTo(2);
    }

    /// The number of calls that a pool left out.
    private static double counted(RequestHandler handler) {
        AtomicInteger found = new AtomicInteger();
        handler.measure(new MetricSink() {
            @Override
            public void counter(String name, String help, double value, String... labels) {
                if (name.equals("kvant_pool_abandoned_total")) {
                    found.addAndGet((int) value);
                }
            }

            @Override
            public void gauge(String name, String help, double value, String... labels) {}

            @Override
            public void histogram(String name, String help, Distribution values, String... labels) {}
        });
        return found.get();
    }

    private static CallExecutor executor(Kind kind) {
        return switch (kind) {
            case POOL -> PoolExecutor.started("kvant-worker", PoolOptions.classic(1), AdmissionOptions.none());
            case VIRTUAL -> new VirtualExecutor();
        };
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aReadThatNobodyWaitsForIsNotBegun(Kind kind) throws Exception {
        CompletionQueue mailbox = handler().mailbox(loop);
        CallExecutor executor = executor(kind);
        Told read = abandonedBeforeItsTurn(executor, mailbox, get("b"));
        Told write = abandonedBeforeItsTurn(executor, mailbox, put("c"));

        awaitDropped(read);
        awaitDropped(write);
        assertThat(engine.calls()).noneMatch(call -> call.contains(" 62"));
        assertThat(engine.stored(bytes("c"))).isEqualTo(bytes("v"));
        executor.close();
    }

    private Told abandonedBeforeItsTurn(CallExecutor executor, CompletionQueue mailbox, Request request) {
        Told call = new Told(mailbox);
        loop.execute(() -> {
            call.begin(request);
            call.queuedAt(System.nanoTime());
            call.deadlineNanos = Long.MAX_VALUE;
            call.abandon();
            assertThat(executor.submit(call)).isTrue();
        });
        return call;
    }
}
