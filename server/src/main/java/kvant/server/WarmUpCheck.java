package kvant.server;

import java.time.Duration;
import kvant.engine.Health;

/// What a node says of its warm-up where it is asked whether it is ready.
final class WarmUpCheck {

    private static final String NAME = "warm-up";

    private WarmUpCheck() {}

    static Health.Check waiting(Duration atMost) {
        return new Health.Check(
                NAME, false, "code is being compiled: wait, the node is ready within " + atMost.toSeconds() + " s");
    }

    static Health.Check done(String how) {
        return new Health.Check(NAME, true, how);
    }
}
