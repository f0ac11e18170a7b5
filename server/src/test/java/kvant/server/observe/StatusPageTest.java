package kvant.server.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import kvant.engine.Health;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.request.Outcome;
import org.junit.jupiter.api.Test;

class StatusPageTest {

    private static final long SECOND = 1_000_000_000;

    private final AtomicLong nanos = new AtomicLong(5 * SECOND);
    private final AtomicInteger asked = new AtomicInteger();
    private Runnable meanwhile = () -> {};
    private final AtomicInteger writes = new AtomicInteger(1);
    private final StatusPage page = new StatusPage(
            new StatusPage.Identity("1.2.3", "abc", "lsm", "always"),
            "epoll",
            () -> {
                asked.incrementAndGet();
                meanwhile.run();
                return new Health(List.of(new Health.Check("writes", writes.get() == 1, "in /secret/place")));
            },
            new HiddenPaths(List.of("/secret/place")),
            nanos::get);

    private static String text(Outcome.Page answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    private String ready() {
        return text(Objects.requireNonNull(page.ready()));
    }

    @Test
    void saysWhatRunsSinceWhenAndHow() {
        nanos.addAndGet(SECOND / 2);
        assertThat(ready())
                .isEqualTo("{\"version\":\"1.2.3\",\"commit\":\"abc\",\"engine\":\"lsm\",\"durability\":\"always\","
                        + "\"transport\":\"epoll\","
                        + "\"uptimeSeconds\":0.500,\"ready\":true,\"checkedSecondsAgo\":0.500,"
                        + "\"checks\":[{\"name\":\"writes\",\"ok\":true,\"detail\":\"in <directory>\"}]}\n");
    }

    @Test
    void asksTheEngineOnceASecondAtMostAndHasOneCallerWait() {
        for (int i = 0; i < 10; i++) {
            assertThat(page.ready()).isNotNull();
        }
        assertThat(asked).hasValue(1);
        writes.set(0);
        nanos.addAndGet(SECOND + 1);

        assertThat(page.ready()).isNull();
        assertThat(ready()).contains("\"ready\":true", "\"uptimeSeconds\":1.000", "\"checkedSecondsAgo\":1.000");
        assertThat(text(page.page(""))).contains("\"ready\":false", "\"checkedSecondsAgo\":0,");
        assertThat(ready()).contains("\"ready\":false");
        assertThat(asked).hasValue(2);
    }

    @Test
    void anEngineThatSaysNothingForASecondIsNotReadyAndNobodyElseWaitsForIt() {
        meanwhile = () -> {
            nanos.addAndGet(SECOND);
            assertThat(ready()).contains("\"ready\":true", "\"checkedSecondsAgo\":3,");
            nanos.addAndGet(11 * SECOND);
            for (int i = 0; i < 3; i++) {
                assertThat(ready())
                        .contains("\"ready\":false", "\"checkedSecondsAgo\":14,", "\"name\":\"writes\"")
                        .contains("{\"name\":\"engine\",\"ok\":false,")
                        .contains("has said nothing about itself for 12 s");
            }
            meanwhile = () -> {};
        };
        nanos.addAndGet(2 * SECOND);

        assertThat(page.ready()).isNull();
        assertThat(text(page.page(""))).contains("\"ready\":true", "\"checkedSecondsAgo\":12,");
        assertThat(asked).hasValue(2);
    }

    /// The thread of pages is in another page, or too many wait for it.
    @Test
    void anEngineThatNobodyCanAskIsNotReadyAndIsAskedAsSoonAsItCanBe() {
        nanos.addAndGet(2 * SECOND);
        assertThat(page.ready()).isNull();
        nanos.addAndGet(3 * SECOND);
        assertThat(ready()).contains("\"ready\":false", "has said nothing about itself for 3 s");

        page.refused();
        assertThat(page.ready()).isNull();
        page.refused();
        assertThat(ready()).contains("\"ready\":false");
        nanos.addAndGet(2 * SECOND);
        assertThat(page.ready()).isNull();
        assertThat(text(page.page(""))).contains("\"ready\":true");
        assertThat(ready()).contains("\"ready\":true");
    }

    @Test
    void anEngineThatFailedToSayItIsAskedAgain() {
        meanwhile = () -> {
            throw new IllegalStateException("planted");
        };
        nanos.addAndGet(2 * SECOND);
        assertThat(page.ready()).isNull();
        assertThatThrownBy(() -> page.page("")).hasMessage("planted");
        meanwhile = () -> {};
        nanos.addAndGet(2 * SECOND);

        assertThat(page.ready()).isNull();
        assertThat(text(page.page(""))).contains("\"ready\":true");
    }
}
