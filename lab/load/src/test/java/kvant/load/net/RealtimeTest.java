package kvant.load.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import kvant.load.truth.Scheduling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Threads that run before ordinary ones, where this process may have such threads.
@EnabledOnOs(OS.LINUX)
class RealtimeTest {

    private static final int EXPECTED = Scheduling.mayBeFifo() ? Scheduling.FIFO : Scheduling.ORDINARY;

    private static void runAlone(Runnable work) throws InterruptedException {
        Thread thread = Thread.ofPlatform().start(work);
        thread.join();
    }

    @Test
    void aThreadThatEntersRunsBeforeOthersWhereItMay() throws InterruptedException {
        List<Integer> policies = new ArrayList<>();
        List<String> obstacles = new ArrayList<>();

        runAlone(() -> {
            policies.add(Scheduling.policy());
            obstacles.add(Realtime.enter());
            policies.add(Scheduling.policy());
        });

        assertThat(policies).containsExactly(Scheduling.ORDINARY, EXPECTED);
        assertThat(obstacles).containsExactly(Realtime.obstacle());
        assertThat(Realtime.obstacle().isEmpty()).isEqualTo(Scheduling.mayBeFifo());
    }

    @Test
    void whatItStartsIsOrdinary() throws InterruptedException {
        List<Integer> policies = new ArrayList<>();

        runAlone(() -> {
            Realtime.enter();
            Thread started = Thread.ofPlatform().start(() -> policies.add(Scheduling.policy()));
            try {
                started.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });

        assertThat(policies).containsExactly(Scheduling.ORDINARY);
    }

    @Test
    void whoAsksStaysAsItIs() {
        Realtime.obstacle();

        assertThat(Scheduling.policy()).isEqualTo(Scheduling.ORDINARY);
    }
}
