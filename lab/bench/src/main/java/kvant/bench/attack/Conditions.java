package kvant.bench.attack;

import java.util.ArrayList;
import java.util.List;
import kvant.bench.process.Node;

/// The node that is attacked, and for how long.
///
/// @param descriptors that it may open, 0 for what the system allows
/// @param serve options of `kvant serve`
/// @param seconds of the attack
/// @param endsService whether it takes away what the node needs, so that refusing is right
record Conditions(int descriptors, List<String> serve, double seconds, boolean endsService) {

    /// The smallest heap that is supported; the budgets of what clients hold are shares of it.
    static final long HEAP_BYTES = 128L << 20;

    /// The longest value with that heap.
    static final int LARGEST_VALUE = (int) (HEAP_BYTES / 8);

    /// Of a node whose speed does not count.
    private static final List<String> COLD = List.of("--warm-up", "0");

    static Conditions usual() {
        return new Conditions(0, List.of(), 15, false);
    }

    Conditions lasting(double longer) {
        return new Conditions(descriptors, serve, longer, endsService);
    }

    Conditions withDescriptors(int count) {
        return new Conditions(count, serve, seconds, endsService);
    }

    Conditions withOptions(String... options) {
        return new Conditions(descriptors, List.of(options), seconds, endsService);
    }

    Conditions endingService() {
        return new Conditions(descriptors, serve, seconds, true);
    }

    Node.Start start(Effort effort) {
        List<String> prefix =
                descriptors == 0 ? List.of() : List.of("prlimit", "--nofile=" + descriptors + ":" + descriptors);
        List<String> jvm = new ArrayList<>(List.of("-Xmx" + (HEAP_BYTES >> 20) + "m", "-XX:+UseG1GC"));
        jvm.addAll(effort.jvm());
        Node.Start start = new Node.Start(prefix, jvm, serve);
        return effort.measures() ? start : start.with(COLD);
    }
}
