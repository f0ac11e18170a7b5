package kvant.bench.attack;

import java.util.List;
import kvant.bench.attack.swarm.Tally;
import kvant.text.Json;

/// What an attack did.
///
/// @param beforeMillis p99 of the good client without it
/// @param duringMillis p99 while it lasted and until the node was normal again
/// @param afterMillis p99 from then on, NaN where the node did not become normal
/// @param refused answers 503 to the good client
/// @param failed its requests that were broken off, had no answer in time, or another one than they asked for
/// @param newcomers puts over new connections while it lasted
/// @param served of these, the ones that were acknowledged
/// @param normalSeconds from its end to the first second as before, NaN where there was none
/// @param answers whether the node answers afterwards
/// @param logLines from its begin to the end of the node
/// @param stopSeconds from SIGTERM to the end of the node
/// @param acknowledged keys whose last acknowledged put was looked for
/// @param lost of these, the ones that lacked it; -1 where nothing could be looked for
/// @param attackers what each swarm of them saw
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

    void write(Json json) {
        json.open()
                .put("attack", attack.name())
                .put("p99MillisBefore", beforeMillis)
                .put("p99MillisDuring", duringMillis)
                .put("p99MillisAfter", afterMillis)
                .put("refused", refused)
                .put("failed", failed)
                .put("newcomers", newcomers)
                .put("newcomersServed", served)
                .put("slowestNewcomerMillis", slowestMillis)
                .put("secondsToNormal", normalSeconds)
                .put("answersAfterwards", answers)
                .put("residentBytes", residentBytes)
                .put("directBytes", directBytes)
                .put("logLines", logLines)
                .put("secondsToStop", stopSeconds)
                .put("acknowledgedKeys", acknowledged)
                .put("lostKeys", lost);
        json.openList("attackers");
        attackers.forEach(attacker -> json.add(attacker.text()));
        json.closeList().openList("complaints");
        complaints.forEach(json::add);
        json.closeList().openList("brokenBounds");
        Bounds.broken(this).forEach(json::add);
        json.closeList().close();
    }
}
