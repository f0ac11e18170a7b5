package kvant.bench.attack;

import java.time.Duration;
import java.util.List;

/// How long and how hard an attack is tried.
///
/// @param before seconds without an attack, for the usual figures
/// @param during seconds of an attack, 0 for as long as it says itself
/// @param after seconds after it, in which the node is to become normal
/// @param share connections are divided by this
/// @param jvm options of the node besides those of the attack
/// @param patience how long a good client waits for an answer
/// @param measures whether figures count, and not only what happens
record Effort(
        double before, double during, double after, int share, List<String> jvm, Duration patience, boolean measures) {

    /// Fewer connections fill less of it.
    private static final String LITTLE_DIRECT = "-XX:MaxDirectMemorySize=32m";

    /// What is published.
    static Effort full() {
        return new Effort(6, 0, 10, 1, List.of(), Duration.ofSeconds(3), true);
    }

    /// Shows that it works.
    static Effort quick() {
        return new Effort(3, 3, 4, 5, List.of(LITTLE_DIRECT), Duration.ofSeconds(3), true);
    }

    /// For tests beside whatever else the machine does: time ends nothing but the attack.
    static Effort test() {
        List<String> jvm = List.of(LITTLE_DIRECT, "-XX:TieredStopAtLevel=1");
        return new Effort(0.2, 1, 0.2, 5, jvm, Duration.ofMinutes(1), false);
    }

    double seconds(Attack attack) {
        return during > 0 ? during : attack.seconds();
    }

    /// Of the figures of the good client.
    Duration window() {
        return Duration.ofMillis(measures ? 1000 : 100);
    }
}
