package kvant.bench.attack;

import java.time.Duration;
import java.util.List;

/// The duration and intensity of an attack.
///
/// @param before seconds without an attack, for the normal figures
/// @param during seconds of an attack, 0 for its own duration
/// @param after seconds after the attack in which the node must recover
/// @param share divisor for the number of connections
/// @param jvm additional options of the node's JVM
/// @param transport of the node
/// @param patience of the good client for an answer
/// @param measures whether figures count, not only functional results
record Effort(
        double before,
        double during,
        double after,
        int share,
        List<String> jvm,
        String transport,
        Duration patience,
        boolean measures) {

    /// Small, because fewer connections fill less of it.
    private static final String LITTLE_DIRECT = "-XX:MaxDirectMemorySize=32m";

    /// As for published results.
    static Effort full(String transport) {
        return new Effort(6, 0, 10, 1, List.of(), transport, Duration.ofSeconds(3), true);
    }

    /// A functional check with short measurements.
    static Effort quick(String transport) {
        return new Effort(3, 3, 4, 5, List.of(LITTLE_DIRECT), transport, Duration.ofSeconds(3), true);
    }

    /// For tests on a busy machine: time limits apply only to the attack.
    static Effort test() {
        List<String> jvm = List.of(LITTLE_DIRECT, "-XX:TieredStopAtLevel=1");
        return new Effort(0.2, 1, 0.2, 5, jvm, "auto", Duration.ofMinutes(1), false);
    }

    double seconds(Attack attack) {
        return during > 0 ? during : attack.seconds();
    }

    /// Window length of the good client's figures.
    Duration window() {
        return Duration.ofMillis(measures ? 1000 : 100);
    }
}
