package kvant.bench.attack;

import java.util.ArrayList;
import java.util.List;

/// What every attack must leave to others.
final class Bounds {

    /// Of the good client's p99, to the usual one.
    private static final double MOST_TIMES_USUAL = 2;

    /// A p99 below this is good whatever the usual one is: attacker, node and good client share the cores.
    private static final double GOOD_MILLIS = 20;

    private static final double NORMAL_SECONDS = 5;
    private static final double STOP_SECONDS = 5;

    /// A line a minute for each thing that goes wrong, and those of the end.
    private static final int LOG_LINES = 10;

    private Bounds() {}

    /// The highest p99 that is as usual.
    static double mostMillis(double usualMillis) {
        return Math.max(GOOD_MILLIS, MOST_TIMES_USUAL * usualMillis);
    }

    /// What does not hold, each in some words; empty where all does.
    static List<String> broken(Outcome outcome) {
        List<String> broken = functional(outcome);
        if (!outcome.attack().endsService()) {
            // A comparison with NaN is false.
            say(broken, !(outcome.duringMillis() <= mostMillis(outcome.beforeMillis())), "p99");
            say(broken, !(outcome.normalSeconds() <= NORMAL_SECONDS), "not normal in time");
        }
        say(broken, outcome.logLines() > LOG_LINES, "log");
        say(broken, outcome.stopSeconds() > STOP_SECONDS, "slow to stop");
        return broken;
    }

    /// Of these, what does not depend on how fast the machine is.
    static List<String> functional(Outcome outcome) {
        List<String> broken = new ArrayList<>(outcome.complaints());
        say(broken, !outcome.answers(), "does not answer afterwards");
        if (!outcome.attack().endsService()) {
            say(broken, outcome.refused() > 0, "refused");
            say(broken, outcome.failed() > 0, "failed");
            say(broken, outcome.served() < outcome.newcomers(), "newcomers kept out");
            say(broken, outcome.lost() != 0, "acknowledged puts lost");
        }
        return broken;
    }

    private static void say(List<String> broken, boolean isBroken, String what) {
        if (isBroken) {
            broken.add(what);
        }
    }
}
