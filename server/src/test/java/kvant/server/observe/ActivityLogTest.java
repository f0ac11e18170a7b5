package kvant.server.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Activities of the process, with their times.
class ActivityLogTest {

    @Test
    void collectionsAndSafepointsAreThereWithTheirTimes() {
        List<byte[]> live = new ArrayList<>(); // so that a full collection takes its time
        for (int i = 0; i < 200_000; i++) {
            live.add(new byte[100]);
        }
        long begunNanos = System.nanoTime();
        try (ActivityLog log = ActivityLog.started(true)) {
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                System.gc();
                List<ActivityLog.Activity> seen = log.between(begunNanos, System.nanoTime());
                return seen.stream().anyMatch(each -> each.kind().startsWith("gc: "))
                        && seen.stream().anyMatch(each -> each.kind().startsWith("safepoint: "));
            });
            long endedNanos = System.nanoTime();
            assertThat(log.between(begunNanos, endedNanos))
                    .allMatch(each -> each.beginNanos() - begunNanos > -1_000_000_000L)
                    .allMatch(each -> each.endNanos() - endedNanos < 1_000_000_000L)
                    .anyMatch(each -> each.overlapNanos(begunNanos, endedNanos) > 0);
            assertThat(live).hasSize(200_000);
        }
    }

    @Test
    void onlyWhatOverlapsIsNamedAndTheOldestIsForgotten() {
        try (ActivityLog log = ActivityLog.started(false)) {
            log.during("flush", 100, 200);
            log.during("compaction", 300, 400);
            assertThat(log.between(150, 250))
                    .extracting(ActivityLog.Activity::kind)
                    .containsExactly("flush");
            assertThat(log.between(201, 299)).isEmpty();
            assertThat(log.between(150, 350)).hasSize(2);
            assertThat(log.between(150, 350).getFirst().overlapNanos(150, 350)).isEqualTo(50);
            long running = log.began("flush");
            long now = System.nanoTime();
            assertThat(log.between(now, now + 10).getFirst().overlapNanos(now, now + 10))
                    .as("it goes on")
                    .isEqualTo(10);
            log.ended(running);
            assertThat(log.between(System.nanoTime() + 1, Long.MAX_VALUE / 2)).isEmpty();
            for (int i = 0; i < ActivityLog.MOST; i++) {
                log.during("compaction", 500, 600);
            }
            assertThat(log.between(100, 200)).isEmpty();
            assertThat(log.between(500, 600)).hasSize(ActivityLog.MOST);
        }
    }
}
