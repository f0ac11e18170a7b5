package kvant.cli;

import picocli.CommandLine.Command;

/// `kvant prove`.
@Command(
        name = "prove",
        description = "Put a promise to the test at full length.",
        footer = {"", "'./kvant prove attack list' lists the attacks on a node."})
final class ProveCommand extends SourceTreeCommand {}
