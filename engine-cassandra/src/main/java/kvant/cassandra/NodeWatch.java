package kvant.cassandra;

import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeStateListenerBase;
import com.datastax.oss.driver.api.core.session.Session;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/// A listener that logs when a node of the cluster goes down and comes back: at most once a minute for each node,
/// however often its state changes. The driver alone would log each of its attempts to reach it. Any thread may call.
///
/// It logs nothing until the session is open: the code that opens the session reports its own failures. Then it names
/// the nodes that did not answer.
final class NodeWatch extends NodeStateListenerBase {

    /// The last logged state of a node.
    private record Said(Instant downAt, boolean isDown) {}

    private static final Duration SILENCE = Duration.ofMinutes(1);

    // Constant.
    private final InstantSource clock;
    private final BiConsumer<Level, String> log;

    // Guarded by this: by the address of the node.
    private final Map<String, Said> said = new HashMap<>();
    private final Set<String> downAtFirst = new TreeSet<>();
    private boolean isOpen;

    NodeWatch(InstantSource clock, BiConsumer<Level, String> log) {
        this.clock = clock;
        this.log = log;
    }

    /// One that writes to the log of the process.
    static NodeWatch logging() {
        System.Logger logger = System.getLogger(NodeWatch.class.getName());
        return new NodeWatch(InstantSource.system(), logger::log);
    }

    @Override
    public void onSessionReady(Session session) {
        opened();
    }

    synchronized void opened() {
        isOpen = true;
        downAtFirst.forEach(this::down);
        downAtFirst.clear();
    }

    @Override
    public synchronized void onDown(Node node) {
        if (isOpen) {
            down(addressOf(node));
        } else {
            downAtFirst.add(addressOf(node));
        }
    }

    private void down(String node) {
        said.compute(node, (address, before) -> {
            Instant now = clock.instant();
            if (before != null && now.isBefore(before.downAt.plus(SILENCE))) {
                return before;
            }
            log.accept(Level.WARNING, address + " does not answer: other nodes of the cluster serve for it");
            return new Said(now, true);
        });
    }

    @Override
    public synchronized void onUp(Node node) {
        downAtFirst.remove(addressOf(node));
        said.computeIfPresent(addressOf(node), (address, before) -> {
            if (before.isDown) {
                log.accept(Level.INFO, address + " answers again");
            }
            return new Said(before.downAt, false);
        });
    }

    @Override
    public void close() {
        // Holds nothing.
    }

    @Override
    public synchronized void onRemove(Node node) {
        downAtFirst.remove(addressOf(node));
        said.remove(addressOf(node));
    }

    private static String addressOf(Node node) {
        return node.getEndPoint().toString();
    }
}
