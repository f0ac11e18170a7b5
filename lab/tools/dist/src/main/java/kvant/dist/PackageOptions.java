package kvant.dist;

import java.nio.file.Path;
import java.time.Instant;

/// What to make packages of.
///
/// @param root of the source tree, built
/// @param out where the packages go
/// @param version as Maven calls it
/// @param time that every file gets
record PackageOptions(Path root, Path out, String version, Instant time, Platform platform) {

    /// What this module leaves: the libraries of the node and of the laboratory, and the list of them.
    Path dist() {
        return root.resolve("lab/tools/dist/target/dist");
    }

    /// A file that goes into packages as it is.
    Path template(String name) {
        return root.resolve("lab/tools/dist/src/main/files").resolve(name);
    }

    /// How archives are called, without an ending.
    String name() {
        return "kvant-" + version + "-" + platform.label();
    }
}
