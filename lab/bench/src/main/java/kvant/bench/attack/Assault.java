package kvant.bench.attack;

import java.io.IOException;
import java.util.List;

/// What an attack does.
interface Assault {

    /// What must be there before it, and is no part of it.
    default void prepare(Scene scene) throws IOException {}

    /// Begins. What it starts through the scene lasts until the attack is over; may take longer than that itself, but
    /// heeds [Scene#awaitOver].
    void begin(Scene scene) throws IOException, InterruptedException;

    /// What it got and should not have got, or the other way round. Asked when it is over and the attackers are gone.
    default List<String> complaints(Scene scene) throws IOException, InterruptedException {
        return List.of();
    }
}
