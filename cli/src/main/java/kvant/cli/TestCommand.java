package kvant.cli;

import picocli.CommandLine.Command;

/// `kvant test`.
@Command(
        name = "test",
        description = "Run every check that CI runs.",
        footer = {
            "",
            "Takes some minutes. Arguments go to Maven: ./kvant test -pl engine",
            "./kvant test --full runs the slow ones too: packages, every benchmark, faults of a Cassandra cluster.",
            "./kvant test -Dkvant.test.all=true tries more seeds, and takes longer.",
            "./kvant test --mutants [FILTER...] plants deliberate faults instead, to see that the tests catch them."
        })
final class TestCommand extends SourceTreeCommand {}
