package kvant.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import kvant.server.access.Token.TokenRateLimit;
import org.junit.jupiter.api.Test;

class TokenRateLimitTest {

    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5 * MILLI); // nano times wrap around

    private int admitted(TokenRateLimit limit, int attempts) {
        int admitted = 0;
        for (int i = 0; i < attempts; i++) {
            admitted += limit.admits() ? 1 : 0;
        }
        return admitted;
    }

    @Test
    void asManyAsASecondAllowsAreAdmittedAtOnceAndThenEvenly() {
        TokenRateLimit limit = new TokenRateLimit(100, now::get);

        assertThat(admitted(limit, 1000)).isEqualTo(100);
        now.addAndGet(9 * MILLI);
        assertThat(admitted(limit, 10)).isZero();
        now.addAndGet(MILLI);
        assertThat(admitted(limit, 10)).isEqualTo(1);
        now.addAndGet(500 * MILLI);
        assertThat(admitted(limit, 1000)).isEqualTo(50);
    }

    @Test
    void whoWasQuietForLongMaySendNoMoreAtOnce() {
        TokenRateLimit limit = new TokenRateLimit(10, now::get);
        now.addAndGet(TimeUnit.HOURS.toNanos(1));

        assertThat(admitted(limit, 1000)).isEqualTo(10);
    }

    @Test
    void whatIsTurnedAwayDoesNotCount() {
        TokenRateLimit limit = new TokenRateLimit(1, now::get);

        assertThat(admitted(limit, 1_000_000)).isEqualTo(1);
        now.addAndGet(1000 * MILLI);
        assertThat(limit.admits()).isTrue();
    }
}
