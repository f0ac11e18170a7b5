package kvant.engine;

import java.nio.file.Path;

/// The engine under test as the parts of the contract suite see it; [EngineContract] provides it.
interface ContractFixture {

    /// The engine under test: opened on first use, on an empty directory, with durability `always`.
    Engine engine();

    /// Closes the engine under test, if open, and opens its directory again.
    Engine reopen(Durability durability);

    /// The longest key that the engine stores; up to the [Limits] a longer one is refused as not supported.
    int longestKeyBytes();

    /// The number of rounds of a test, given the usual one for an engine whose operations take microseconds.
    int rounds(int usual);

    /// The directory of the engine under test; nothing is there before [#engine] or [#reopen].
    Path directory();

    /// Opens a further engine, which the suite closes at the end.
    Engine openAt(Path directory, Durability durability);
}
