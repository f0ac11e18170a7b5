package kvant.server.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.server.ExecutorKind;
import kvant.server.MemoryEngine;
import kvant.server.admit.AdmissionOptions;
import kvant.server.admit.AnswerMemory;
import kvant.server.execute.PoolOptions;
import kvant.server.request.Failures;
import kvant.server.request.Outcome;
import kvant.server.request.PageSource;
import kvant.server.request.Request;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Pages about the node, and who waits for them.
class PagesTest {

    private final MemoryEngine engine = new MemoryEngine();
    private final SerialLoop loop = new SerialLoop();
    private final List<Told> calls = new ArrayList<>();

    @AfterEach
    void close() {
        loop.close();
        engine.close();
    }

    private RequestHandler handler() {
        ServiceOptions options = new ServiceOptions(1, 1000, PoolOptions.classic(1), null, AdmissionOptions.none());
        return new RequestHandler(
                engine, InstantSource.system(), options, new AnswerMemory(Long.MAX_VALUE / 2), ExecutorKind.SYNC::open);
    }

    /// In the order of the calls.
    private List<Outcome> outcomes() {
        return calls.stream().flatMap(call -> call.outcomes.stream()).toList();
    }

    /// A page is as long as what all answers may take.
    @Test
    void aPageTakesMemoryOfAnswers() {
        byte[] body = new byte[10_000];
        Request.Page page = new Request.Page(_ -> new Outcome.Page("text/plain", body), "");
        AnswerMemory answers = new AnswerMemory(body.length);
        CompletionQueue mailbox = handler().mailbox(loop);
        try (Pages pages = new Pages(answers)) {
            for (int i = 0; i < 2; i++) {
                Told call = new Told(mailbox);
                calls.add(call);
                loop.execute(() -> {
                    call.begin(page);
                    assertThat(pages.submit(call, page)).isTrue();
                });
            }
            await().until(() -> outcomes().size() == 2);
        }

        assertThat(outcomes()).first().isInstanceOf(Outcome.Page.class);
        assertThat(outcomes()).last().isEqualTo(Failures.OVERLOADED);
        assertThat(answers.claimedBytes()).isEqualTo(body.length);
        calls.getFirst().releaseAnswer();
        assertThat(answers.claimedBytes()).isZero();
    }

    /// One is made, and so many wait as may wait.
    @Test
    void aPageThatIsNotMadeIsToldToItsSource() {
        CountDownLatch gate = new CountDownLatch(1);
        AtomicInteger refused = new AtomicInteger();
        PageSource stuck = new PageSource() {
            @Override
            public void refused() {
                refused.incrementAndGet();
            }

            @Override
            public Outcome.Page page(String accept) {
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                return new Outcome.Page("text/plain", new byte[0]);
            }
        };
        RequestHandler handler = handler();
        CompletionQueue mailbox = handler.mailbox(loop);
        for (int i = 0; i < 20; i++) {
            Told call = new Told(mailbox);
            calls.add(call);
            loop.execute(() -> handler.submit(call, new Request.Page(stuck, "")));
        }
        await().until(() -> refused.get() == 3 || refused.get() == 4); // whether the first was taken by then

        await().until(() -> outcomes().size() == refused.get());
        assertThat(outcomes()).containsOnly(Failures.OVERLOADED);
        gate.countDown();
        await().until(() -> outcomes().size() == 20);
        handler.close();
    }
}
