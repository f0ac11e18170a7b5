package kvant.dist;

import java.nio.file.Path;
import java.time.Instant;

/// The input of the packages.
///
/// @param root of the source tree, built
/// @param out folder for the packages
/// @param version of the Maven project
/// @param time modification time of every file
record PackageOptions(Path root, Path out, String version, Instant time, Platform platform) {

    /// The build output of this module: the libraries of the node and of the laboratory, and the list of them.
    Path dist() {
        return root.resolve("lab/tools/dist/target/dist");
    }

    /// A file that is packaged unchanged.
    Path template(String name) {
        return root.resolve("lab/tools/dist/src/main/files").resolve(name);
    }

    /// The name of archives, without an extension.
    String name() {
        return "kvant-" + version + "-" + platform.label();
    }
}
