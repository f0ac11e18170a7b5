package kvant.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The Helm chart as an archive, named as by `helm package`.
final class HelmChart {

    private static final String FILE = "kvant/Chart.yaml";

    private HelmChart() {}

    static Path write(PackageOptions options) throws IOException {
        Path folder = options.template("chart/kvant");
        String description = Files.readString(folder.resolve("Chart.yaml")).replace("@version@", options.version());
        FileTree tree = new FileTree().folder("kvant", folder).text(FILE, description, FileTree.PLAIN);
        Path file = options.out().resolve("kvant-chart-" + options.version() + ".tgz");
        return new TarWriter(options.time()).gzip(file, tree);
    }
}
