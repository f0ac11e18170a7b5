package kvant.cli.control;

import java.util.List;
import kvant.engine.EngineException;

/// What an operator may ask of any node.
public interface NodeControl {

    /// The slowest requests of the last minutes, as JSON or as a table.
    List<String> slowRequests(boolean json);

    /// Has the audit log tell of a command, before it is carried out.
    ///
    /// @param words of its caller, or empty
    /// @param changes whether it changes the node or copies what it holds
    void told(String command, String words, boolean changes);

    /// From now on refuses writes of clients, or takes them again.
    void readOnly(boolean wanted);

    /// How far the store has been moved, in lines for a person.
    default List<String> moveStatus() {
        throw new EngineException.Unsupported("this node was not started with --mirror-to");
    }

    /// Has the new store take over; may take seconds.
    ///
    /// @throws EngineException why not
    default void switchOver() {
        throw new EngineException.Unsupported("this node was not started with --mirror-to");
    }
}
