package kvant.bench.attack;

import java.util.ArrayList;
import java.util.List;

/// The service for other clients that every attack must leave intact.
final class Bounds {

    /// Maximum ratio of the good client's p99 to that before the attack.
    private static final double MOST_TIMES_USUAL = 2;

    /// A p99 below this is always acceptable: attacker, node and good client share the cores.
    private static final double GOOD_MILLIS = 20;

    private static final double NORMAL_SECONDS = 5;
    private static final double STOP_SECONDS = 5;

    /// One line a minute for each problem, and the lines at the end.
    private static final int LOG_LINES = 10;

    private Bounds() {}

    /// The highest acceptable p99.
    static double mostMillis(double usualMillis) {
        return Math.max(GOOD_MILLIS, MOST_TIMES_USUAL * usualMillis);
    }

    /// The violated bounds, each in a few words; empty if all hold.
    static List<String> broken(Outcome outcome) {
        List<String> broken = functional(outcome);
        if (!outcome.attack().endsService()) {
            // True also for NaN.
            say(broken, !(outcome.duringMillis() <= mostMillis(outcome.beforeMillis())), "p99");
            say(broken, !(outcome.normalSeconds() <= NORMAL_SECONDS), "not normal in time");
        }
        say(broken, outcome.logLines() > LOG_LINES, "log");
        say(broken, outcome.stopSeconds() > STOP_SECONDS, "slow to stop");
        return broken;
    }

    /// The violations that do not depend on the speed of the machine.
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
