package kvant.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import kvant.engine.Lookup;
import kvant.engine.Read;
import kvant.server.ExecutorKind;
import kvant.server.LaterEngine;
import kvant.server.admit.AdmissionOptions;
import kvant.server.admit.AnswerMemory;
import kvant.server.execute.PoolOptions;
import kvant.server.request.Outcome;
import kvant.server.request.Precondition;
import kvant.server.request.Request;
import kvant.server.service.KeyOperations.ExpectedAnswer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// An engine that breaks the promises of its port harms only the request that it answers.
class RemoteReadTest {

    private static final byte[] KEY = {'k'};
    private static final int LONG = 2 * ExpectedAnswer.SMALL_BYTES;

    private final LaterEngine engine = new LaterEngine();
    private final RequestHandler handler = new RequestHandler(
            engine,
            InstantSource.system(),
            new ServiceOptions(1, 1000, PoolOptions.classic(1), null, AdmissionOptions.none()),
            new AnswerMemory(LONG),
            ExecutorKind.SYNC::open); // one long value at a time may arrive
    private final CompletionQueue mailbox = handler.mailbox(Runnable::run);
    private final List<Outcome> outcomes = new ArrayList<>();

    private final class Get extends Call {

        Get() {
            super(RemoteReadTest.this.mailbox);
            readAt(System.nanoTime());
        }

        @Override
        protected void settled(Outcome outcome) {
            outcomes.add(outcome);
        }
    }

    @AfterEach
    void close() {
        handler.close();
    }

    @Test
    void theFirstAnswerCounts() {
        get();
        Read read = engine.reads.remove();
        read.answered(Lookup.Miss.ABSENT);
        read.answered(new Lookup.Found(new byte[1], 1));
        assertThat(outcomes).containsExactly(Outcome.Plain.ABSENT);
    }

    /// Next to one that arrives there is no room for another as long, so one read at a time goes without a claim.
    @Test
    void oneReadAtATimeGoesWithoutAClaimHoweverOftenItIsAnswered() {
        expectLongValues();
        get();
        Read read = engine.reads.remove();
        read.answered(Lookup.Miss.ABSENT);
        read.answered(Lookup.Miss.ABSENT);
        get();
        get();
        assertThat(engine.reads).as("asked at a time").hasSize(1);
    }

    @Test
    void anEngineThatThrowsGetsTheNextReadAllTheSame() {
        expectLongValues();
        engine.throwing = true;
        get();
        assertThat(outcomes).hasSize(1).hasOnlyElementsOfType(Outcome.Failed.class);
        engine.reads.clear();
        engine.throwing = false;
        get();
        assertThat(engine.reads).hasSize(1);
    }

    /// A long value was read, and is still on its way out; another one arrives.
    private void expectLongValues() {
        get();
        engine.reads.remove().answered(new Lookup.Found(new byte[LONG], 1));
        get();
        engine.reads.remove();
        outcomes.clear();
    }

    private void get() {
        handler.submit(new Get(), new Request.Get(KEY, Precondition.Plain.NONE));
    }
}
