package kvant.bench.attack;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import kvant.lab.run.ServedNode;

/// An attack, and the configuration of the attacked node.
///
/// @param what description in one sentence
/// @param promise guarantee in addition to the [Bounds] of all attacks, or empty
/// @param descriptors maximum open files of the node, 0 for the system's limit
/// @param serve options of `kvant serve`
/// @param seconds duration of the attack
/// @param endsService whether it removes a resource the node needs, so that refusing is correct
record Attack(
        String name,
        String what,
        String promise,
        int descriptors,
        List<String> serve,
        double seconds,
        boolean endsService,
        Assault assault) {

    /// The smallest supported heap; the budgets for data held for clients are shares of it.
    private static final long HEAP_BYTES = 128L << 20;

    /// Maximum length of a value with that heap.
    static final int LARGEST_VALUE = (int) (HEAP_BYTES / 8);

    private static final double USUAL_SECONDS = 15;

    /// Options for a node whose speed does not matter.
    private static final List<String> COLD = List.of("--warm-up", "0");

    static Attack of(String name, String what, Assault assault) {
        return new Attack(name, what, "", 0, List.of(), USUAL_SECONDS, false, assault);
    }

    Attack promising(String more) {
        return new Attack(name, what, more, descriptors, serve, seconds, endsService, assault);
    }

    Attack lasting(double longer) {
        return new Attack(name, what, promise, descriptors, serve, longer, endsService, assault);
    }

    Attack withDescriptors(int count) {
        return new Attack(name, what, promise, count, serve, seconds, endsService, assault);
    }

    Attack withOptions(String... options) {
        return new Attack(name, what, promise, descriptors, List.of(options), seconds, endsService, assault);
    }

    Attack endingService() {
        return new Attack(name, what, promise, descriptors, serve, seconds, true, assault);
    }

    ServedNode.Start start(Effort effort) {
        List<String> prefix =
                descriptors == 0 ? List.of() : List.of("prlimit", "--nofile=" + descriptors + ":" + descriptors);
        List<String> jvm = new ArrayList<>(List.of("-Xmx" + (HEAP_BYTES >> 20) + "m", "-XX:+UseG1GC"));
        jvm.addAll(effort.jvm());
        ServedNode.Start start =
                new ServedNode.Start(prefix, jvm, serve, Map.of()).with(List.of("--transport", effort.transport()));
        return effort.measures() ? start : start.with(COLD);
    }
}
