package kvant.server.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import kvant.server.ExecutorKind;
import kvant.server.MemoryEngine;
import kvant.server.admit.AdmissionOptions;
import kvant.server.admit.AnswerMemory;
import kvant.server.execute.PoolOptions;
import kvant.server.request.Failures;
import kvant.server.request.Precondition;
import kvant.server.request.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The end of a handler while its workers are in the engine.
class HandlerCloseTest {

    private static final Request.Scan ALL = Request.Scan.between(bytes("k"), null, Long.MAX_VALUE);

    private final MemoryEngine engine = new MemoryEngine();
    private final MemoryEngine.Gate gate = new MemoryEngine.Gate();

    private enum Kind {
        POOL,
        SPLIT,
        VIRTUAL,
        ADAPTIVE
    }

    private RequestHandler handler(Kind kind) {
        PoolOptions one = PoolOptions.classic(1).withQueue(10);
        ServiceOptions options =
                new ServiceOptions(1, 1000, one, kind == Kind.SPLIT ? one : null, AdmissionOptions.none());
        AnswerMemory answers = new AnswerMemory(Long.MAX_VALUE / 2);
        InstantSource clock = InstantSource.system();
        return switch (kind) {
            case POOL, SPLIT -> new RequestHandler(engine, clock, options, answers, ExecutorKind.ASYNC::open);
            case VIRTUAL -> new RequestHandler(engine, clock, options, answers, ExecutorKind.VIRTUAL::open);
            case ADAPTIVE -> new RequestHandler(engine, clock, options, answers, ExecutorKind.ADAPTIVE::open);
        };
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aScanThatAWorkerReadsIsNotClosedUnderIt(Kind kind) {
        engine.load(bytes("k1"), bytes("v"));
        engine.blockScans(gate);
        RequestHandler handler = handler(kind);
        handler.submit(new Told(handler.mailbox(Runnable::run)), ALL);
        await().until(() -> gate.waiting() == 1);
        handler.close();
        assertThat(gate.waiting()).isEqualTo(1);
        assertThat(engine.openCursors()).isEqualTo(1);
        gate.open();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aScanBetweenItsRoundsIsClosed(Kind kind) {
        engine.load(bytes("k1"), bytes("v"));
        engine.load(bytes("k2"), bytes("v"));
        RequestHandler handler = handler(kind);
        Told scan = new Told(handler.mailbox(Runnable::run));
        handler.submit(scan, ALL);
        await().until(() -> scan.outcomes.size() == 1);
        assertThat(engine.openCursors()).isEqualTo(1);
        handler.close();
        assertThat(engine.openCursors()).isZero();
    }

    /// Its clients have gone, and what is in the engine is to have the time.
    @Test
    void whatWaitsForAWorkerIsTurnedAway() {
        engine.blockScans(gate);
        RequestHandler handler = handler(Kind.POOL);
        handler.submit(new Told(handler.mailbox(Runnable::run)), ALL);
        await().until(() -> gate.waiting() == 1);
        Told waiting = new Told(handler.mailbox(Runnable::run));
        handler.submit(waiting, new Request.Get(bytes("k1"), Precondition.Plain.NONE));
        handler.close();
        assertThat(waiting.outcomes).containsExactly(Failures.OVERLOADED);
        gate.open();
    }
}
