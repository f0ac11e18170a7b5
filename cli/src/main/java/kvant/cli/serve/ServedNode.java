package kvant.cli.serve;

import java.time.Duration;
import java.util.List;
import kvant.cli.control.NodeControl;
import kvant.engine.Engine;
import kvant.move.mirror.MirrorEngine;
import kvant.server.Node;

/// What operators' commands reach of a node.
///
/// @param engine that it serves, which may be a mirror
record ServedNode(Node node, Engine engine) implements NodeControl {

    /// How long a switch-over waits for the writes that are under way.
    private static final Duration SWITCH_LIMIT = Duration.ofSeconds(10);

    @Override
    public List<String> slowRequests(boolean json) {
        return node.slowRequests(json).lines().toList();
    }

    @Override
    public void told(String command, String words, boolean changes) {
        node.told(command, words, changes);
    }

    @Override
    public void readOnly(boolean wanted) {
        node.readOnly(wanted);
    }

    @Override
    public List<String> moveStatus() {
        return engine instanceof MirrorEngine<?> mirror ? mirror.status().lines() : NodeControl.super.moveStatus();
    }

    @Override
    public void switchOver() {
        if (engine instanceof MirrorEngine<?> mirror) {
            mirror.switchOver(SWITCH_LIMIT);
        } else {
            NodeControl.super.switchOver();
        }
    }
}
