package kvant.cli.control;

import java.util.List;

/// What an operator may ask of any node.
public interface NodeControl {

    /// The slowest requests of the last minutes, as JSON or as a table.
    List<String> slowRequests(boolean json);

    /// From now on refuses writes of clients, or takes them again.
    void readOnly(boolean wanted);
}
