package kvant.load.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import kvant.load.http.ResponseParser;
import kvant.load.http.Target;
import kvant.load.keys.SplitMix64;
import kvant.load.plan.Arrivals;
import kvant.load.plan.Clients;
import kvant.load.plan.LoadPlan;
import kvant.load.plan.Pace;
import kvant.load.workload.RequestSource;
import kvant.load.workload.Workload;
import org.junit.jupiter.api.Test;

/// The generator's part of a response time: its own delay, and that of earlier requests.
class LateTest {

    private static final LoadPlan PLAN = LoadPlan.of(
            Target.parse("http://h"), Workload.plain("GET"), Clients.defaults(), Pace.closed(Duration.ofSeconds(1)));
    private static final RequestSource ANY = new RequestSource(PLAN.workload(), PLAN.encoder(), 0, 0, 1, 1);

    private final LoadConnection connection = new LoadConnection(
            0, 1, false, new Arrivals(Arrivals.Law.UNIFORM, 1, 1, 0, SplitMix64.of(1, 1)), new ResponseParser());

    private long late(long due, long sent, long answered) {
        connection.push(due, sent, ANY, true);
        long late = connection.inFlight.oldest().late;
        connection.ableSince = answered;
        connection.ableLate = late;
        connection.pop();
        return late;
    }

    @Test
    void whatDelayedAGetIsNotInTheResponseTimeOfThePutThatFollows() {
        connection.push(0, 5, ANY, true); // a get, late by 5
        connection.ableSince = 15;
        connection.ableLate = connection.inFlight.oldest().late;
        connection.follow(15);
        connection.pop();

        connection.pushFollow(15, 17, ANY);
        assertThat(connection.inFlight.oldest().charged()).as("its own delay").isEqualTo(2);
        assertThat(connection.inFlight.oldest().late).as("with that of its get").isEqualTo(7);
        assertThat(connection.follows.isEmpty()).isTrue();
        connection.ableSince = 27;
        connection.ableLate = connection.inFlight.oldest().late;
        connection.pop();

        assertThat(late(4, 27, 37))
                .as("who waited for both would have been sent at 20")
                .isEqualTo(7);
    }

    @Test
    void whoIsSentLateMakesThoseLateThatWaitForIt() {
        assertThat(late(0, 5, 15)).as("its own delay").isEqualTo(5);
        assertThat(late(2, 15, 25))
                .as("sent at once, and would have been at 10")
                .isEqualTo(5);
        assertThat(late(4, 27, 37)).as("both, and would have been sent at 20").isEqualTo(7);
        assertThat(late(33, 37, 40)).as("would have waited for nobody").isEqualTo(4);
        assertThat(late(50, 50, 60)).as("after a rest nothing is left").isZero();
        assertThat(late(51, 60, 70)).as("who waits for the server is not late").isZero();
    }
}
