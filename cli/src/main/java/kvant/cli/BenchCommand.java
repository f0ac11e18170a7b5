package kvant.cli;

import picocli.CommandLine.Command;

/// `kvant bench`.
@Command(
        name = "bench",
        description = "Compare with peers, as ratios.",
        footer = {"", "'./kvant bench --help' lists the benchmarks."})
final class BenchCommand extends SourceTreeCommand {}
