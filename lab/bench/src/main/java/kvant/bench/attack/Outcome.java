package kvant.bench.attack;

import java.util.List;
import kvant.bench.attack.swarm.Tally;

/// The result of an attack.
///
/// @param beforeMillis p99 of the good client before the attack
/// @param duringMillis p99 during the attack and until recovery
/// @param afterMillis p99 after recovery, NaN without recovery
/// @param refused number of its 503 answers
/// @param failed number of its requests that were interrupted, timed out, or had an unwanted answer
/// @param newcomers number of puts over new connections during the attack
/// @param served number of these that were acknowledged
/// @param normalSeconds from the end of the attack to the first normal second, NaN if there was none
/// @param answers whether the node answers afterwards
/// @param logLines from the start of the attack to the end of the node
/// @param stopSeconds from SIGTERM to the end of the node
/// @param acknowledged number of keys whose last acknowledged put was checked
/// @param lost number of these that lacked it; -1 if the check was impossible
/// @param attackers observations of each swarm
/// @param complaints of the attack itself
record Outcome(
        Attack attack,
        double beforeMillis,
        double duringMillis,
        double afterMillis,
        long refused,
        long failed,
        long newcomers,
        long served,
        double slowestMillis,
        double normalSeconds,
        boolean answers,
        long residentBytes,
        long directBytes,
        long logLines,
        double stopSeconds,
        long acknowledged,
        long lost,
        List<Tally> attackers,
        List<String> complaints) {

    Outcome {
        attackers = List.copyOf(attackers);
        complaints = List.copyOf(complaints);
    }
}
