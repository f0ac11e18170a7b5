package kvant.cli.control;

import java.util.List;

/// What an operator may ask of a node whose store is being moved.
public interface MoveControl {

    /// Lines for a person.
    List<String> status();

    /// Has the new store take over; may take seconds.
    ///
    /// @throws kvant.engine.EngineException why not
    void switchOver();
}
