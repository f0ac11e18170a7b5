package kvant.cli;

import picocli.CommandLine.Command;

/// `kvant package`.
@Command(
        name = "package",
        description = "Make packages to install.",
        footer = {"", "An archive, a .deb, a container image and a Helm chart, in target/packages."})
final class PackageCommand extends SourceTreeCommand {}
