package kvant.cli.serve;

import java.util.List;
import kvant.cli.control.NodeControl;
import kvant.server.Node;

/// What operators' commands reach of a node.
record ServedNode(Node node) implements NodeControl {

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
}
