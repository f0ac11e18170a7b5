package kvant.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import kvant.server.request.RequestTrace;
import kvant.server.request.RequestTrace.TraceParent;
import org.junit.jupiter.api.Test;

/// Which requests are handed on.
class SlowFeedTest {

    private final SlowFeed feed = new SlowFeed(100, 16);

    private static RequestTrace below(int flags) {
        return new RequestTrace(RequestTrace.NO_ID, new TraceParent(1, 2, 3, flags));
    }

    @Test
    void onlyWhatTookAsLongAsThatIsWanted() {
        assertThat(feed.wants(99, RequestTrace.NONE)).isFalse();
        assertThat(feed.wants(100, RequestTrace.NONE)).isTrue();
    }

    @Test
    void aPartOfATraceThatNobodyRecordsIsNot() {
        assertThat(feed.wants(100, below(0))).isFalse();
        assertThat(feed.wants(100, below(1))).isTrue();
        assertThat(feed.wants(100, below(3))).isTrue();
    }
}
