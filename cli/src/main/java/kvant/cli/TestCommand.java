package kvant.cli;

import picocli.CommandLine.Command;

/// `kvant test`.
@Command(name = "test", description = "Run every check that CI runs (in a source tree, by ./kvant).")
final class TestCommand extends SourceTreeCommand {}
