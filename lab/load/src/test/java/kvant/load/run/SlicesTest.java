package kvant.load.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import kvant.load.host.HostFacts;
import kvant.load.http.Target;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.record.PhaseTotals;
import kvant.load.record.RequestCounts;
import kvant.load.record.RequestCounts.Count;
import kvant.load.record.SlowestRequests;
import kvant.load.record.Window;
import kvant.load.workload.Workload;
import org.junit.jupiter.api.Test;

/// One result of several slices.
class SlicesTest {

    private static final long SECOND = 1_000_000_000L;

    private static final LoadPlan PLAN = LoadPlan.of(
            Target.parse("http://127.0.0.1:8080"),
            Workload.named("put"),
            Clients.defaults(),
            Pace.open(1000, Duration.ofSeconds(4)));

    private static final RunResult.WarmupResult WARMUP = new RunResult.WarmupResult(7, true, new RequestCounts());

    /// Of one window, in which each request took as long.
    private static RunResult slice(long startedAt, long nanos, int answered, long each, double busy, String partial) {
        RequestCounts counts = new RequestCounts();
        PhaseTotals totals = new PhaseTotals();
        for (int i = 0; i < answered; i++) {
            counts.add(Count.SENT, 1);
            counts.answered(200);
            counts.inTime(false);
            totals.window().recordValue(each);
            totals.service().recordValue(each / 2);
        }
        totals.closeWindow(0, nanos, counts, true);
        return new RunResult(
                PLAN,
                Instant.ofEpochSecond(startedAt),
                nanos,
                nanos,
                new RunResult.WarmupResult(0.2, true, new RequestCounts()),
                counts,
                totals,
                SlowestRequests.NONE,
                1,
                2,
                3,
                10,
                answered,
                busy,
                answered * 100L,
                answered + 5,
                partial,
                partial,
                "",
                HostFacts.UNKNOWN);
    }

    @Test
    void slicesFollowEachOtherOnOneTimelineWhateverLayBetweenThem() {
        RunResult all = Slices.merged(
                PLAN,
                WARMUP,
                List.of(slice(100, SECOND, 10, 1000, 0.2, ""), slice(160, 3 * SECOND, 30, 3000, 0.6, "")));

        assertThat(all.plan()).isSameAs(PLAN);
        assertThat(all.warmup()).isSameAs(WARMUP);
        assertThat(all.startedAt()).isEqualTo(Instant.ofEpochSecond(100));
        assertThat(all.elapsedNanos()).isEqualTo(4 * SECOND);
        assertThat(all.achievedRate()).isCloseTo(10, within(1e-9));
        assertThat(all.totals().windows()).extracting(Window::fromNanos).containsExactly(0L, SECOND);
        assertThat(all.totals().windows()).extracting(Window::answered).containsExactly(10L, 30L);
        assertThat(all.totals().blocks()).hasSize(2);
    }

    @Test
    void whatIsCountedIsAddedAndSharesCountByTheirTime() {
        RunResult all = Slices.merged(
                PLAN, WARMUP, List.of(slice(0, SECOND, 10, 1000, 0.2, ""), slice(9, 3 * SECOND, 30, 3000, 0.6, "")));

        assertThat(all.counts().of(Count.ANSWERED)).isEqualTo(40);
        assertThat(all.totals().response().getTotalCount()).isEqualTo(40);
        assertThat(all.totals().response().getMinValue()).isLessThan(1100);
        assertThat(all.totals().service().getTotalCount()).isEqualTo(40);
        assertThat(all.busy()).isCloseTo(0.5, within(1e-9));
        assertThat(List.of(all.reconnects(), all.refusedConnects(), all.strays()))
                .containsExactly(2L, 4L, 6L);
        assertThat(all.insertedKeys()).isEqualTo(40);
        assertThat(all.cpuNanos()).isEqualTo(4000);
        assertThat(all.sentWithWarmup()).isEqualTo(50);
    }

    @Test
    void howManyKeysSeveralSlicesAskedForIsNotKnown() {
        RunResult one = slice(0, SECOND, 10, 1000, 0.2, "");

        assertThat(Slices.merged(PLAN, WARMUP, List.of(one)).distinctKeys()).isEqualTo(10);
        assertThat(Slices.merged(PLAN, WARMUP, List.of(one, one)).distinctKeys())
                .isEqualTo(-1);
    }

    @Test
    void theFirstSliceThatWasBrokenOffSaysWhy() {
        RunResult whole = slice(0, SECOND, 10, 1000, 0.2, "");
        RunResult broken = slice(1, SECOND, 10, 1000, 0.2, "nobody is there");
        RunResult later = slice(2, SECOND, 10, 1000, 0.2, "something else");

        RunResult all = Slices.merged(PLAN, WARMUP, List.of(whole, broken, later));

        assertThat(all.partial()).isEqualTo("nobody is there");
        assertThat(all.lastTrouble()).isEqualTo("something else");
        assertThat(Slices.merged(PLAN, WARMUP, List.of(whole, whole)).isPartial())
                .isFalse();
    }
}
