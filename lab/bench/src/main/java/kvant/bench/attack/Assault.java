package kvant.bench.attack;

import java.io.IOException;
import java.util.List;

/// The actions of an attack.
interface Assault {

    /// Prepares the scene before the attack.
    default void prepare(Scene scene) throws IOException {}

    /// Starts the attack. Activities started through the scene last until the attack is over. The call may itself take
    /// longer, but must observe [Scene#awaitOver].
    void begin(Scene scene) throws IOException, InterruptedException;

    /// Wrong answers to the attack, in words. Called when the attack is over and the attackers are gone.
    default List<String> complaints(Scene scene) throws IOException, InterruptedException {
        return List.of();
    }
}
