package kvant.engine;

import java.nio.file.Path;

/// What the parts of the contract suite see of the engine under test; [EngineContract] provides it.
interface ContractFixture {

    /// The engine under test: opened on first use, on an empty directory, with durability `always`.
    Engine engine();

    /// Closes the engine under test, if open, and opens its directory again.
    Engine reopen(Durability durability);

    /// The longest key that the engine stores; up to the [Limits] a longer one is refused as not supported.
    int longestKeyBytes();

    /// How often a test repeats itself that repeats so often where an operation takes microseconds.
    int rounds(int usual);

    /// The directory of the engine under test; nothing is there before [#engine] or [#reopen].
    Path directory();

    /// Opens a further engine, which the suite closes at the end.
    Engine openAt(Path directory, Durability durability);
}
