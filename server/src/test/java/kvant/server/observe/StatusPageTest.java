package kvant.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

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
    private final AtomicInteger writes = new AtomicInteger(1);
    private final StatusPage page = new StatusPage(
            new StatusPage.Identity("1.2.3", "abc", "lsm"),
            () -> {
                asked.incrementAndGet();
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
                .isEqualTo("{\"version\":\"1.2.3\",\"commit\":\"abc\",\"engine\":\"lsm\",\"uptimeSeconds\":0.500,"
                        + "\"ready\":true,\"checks\":[{\"name\":\"writes\","
                        + "\"ok\":true,\"detail\":\"in <directory>\"}]}\n");
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
        assertThat(ready()).contains("\"ready\":true", "\"uptimeSeconds\":1.000");
        assertThat(text(page.page(""))).contains("\"ready\":false");
        assertThat(ready()).contains("\"ready\":false");
        assertThat(asked).hasValue(2);
    }
}
