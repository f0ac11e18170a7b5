package kvant.dist;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/// A container image in one tar archive, in the image layout of the Open Container Initiative, plus the file
/// `manifest.json` for `docker load`.
///
/// Two layers: system libraries, which change rarely, and the program. No shell, and a non-root user.
final class ContainerImage {

    private static final String HOME = "opt/kvant";
    private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
    private static final String CONFIG = "application/vnd.oci.image.config.v1+json";
    private static final String LAYER = "application/vnd.oci.image.layer.v1.tar+gzip";

    private static final String BLOBS = "blobs/sha256/";

    /// The launcher's command line, without the shell that the launcher needs.
    static final List<String> JAVA = List.of(
            "/" + HOME + "/lib/runtime/bin/java",
            "@/" + HOME + "/lib/jvm.options",
            "-cp",
            "/" + HOME + "/lib/app/*",
            "kvant.cli.Main");

    /// A container is accessed from outside. The data have a separate directory, because a volume may be accessible to
    /// a group. File names are UTF-8, because there is no launcher to set that.
    private static final List<String> ENVIRONMENT =
            List.of("LC_ALL=C.UTF-8", "KVANT_DATA=/var/lib/kvant/data", "KVANT_HOST=0.0.0.0");

    /// Above the user ids that distributions assign to people.
    private static final String USER = "65532";

    private final PackageOptions options;
    private final Path work;
    private final TarWriter tars;

    ContainerImage(PackageOptions options, Path work) {
        this.options = options;
        this.work = work;
        tars = new TarWriter(options.time());
    }

    /// @param diff digest of the uncompressed layer
    private record Blob(String type, String digest, long size, String diff) {}

    /// @param libraries of the system
    Path write(FileTree libraries, FileTree program) throws IOException {
        FileTree blobs = new FileTree().text("oci-layout", "{\"imageLayoutVersion\":\"1.0.0\"}", FileTree.PLAIN);
        List<Blob> layers = List.of(
                layer(blobs, "system", system(libraries)), layer(blobs, "program", new FileTree().all(HOME, program)));
        Blob config = blob(blobs, CONFIG, config(layers));
        Blob manifest = blob(blobs, MANIFEST, manifest(config, layers));
        String name = "kvant:" + options.version();
        blobs.text("index.json", index(manifest, name), FileTree.PLAIN);
        blobs.text("manifest.json", dockerManifest(config, layers, name), FileTree.PLAIN);
        return tars.tar(options.out().resolve(options.name() + ".image.tar"), blobs);
    }

    /// Files that programs expect: the user's names, the configuration of host name lookup, and writable folders.
    private static FileTree system(FileTree libraries) {
        return new FileTree()
                .all(libraries)
                .text("etc/passwd", "root:x:0:0::/:/none\nkvant:x:" + USER + ":" + USER + "::/:/none\n", FileTree.PLAIN)
                .text("etc/group", "root:x:0:\nkvant:x:" + USER + ":\n", FileTree.PLAIN)
                .text("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n", FileTree.PLAIN)
                .directory("tmp", 01777)
                .directory("var/lib/kvant", 01777);
    }

    private Blob layer(FileTree blobs, String name, FileTree tree) throws IOException {
        Path file = work.resolve(name + ".layer");
        MessageDigest plain = Digest.of("SHA-256");
        try (OutputStream zipped = Files.newOutputStream(file)) {
            tars.gzip(zipped, tree, plain);
        }
        String digest = Digest.sha256(file);
        blobs.file(BLOBS + digest, file, FileTree.PLAIN);
        return new Blob(LAYER, digest, Files.size(file), Digest.hex(plain));
    }

    private static Blob blob(FileTree blobs, String type, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        String hex = Digest.sha256(new ByteArrayInputStream(bytes));
        blobs.bytes(BLOBS + hex, bytes, FileTree.PLAIN);
        return new Blob(type, hex, bytes.length, "");
    }

    /// `Healthcheck` is an extension of Docker, reserved in the format of the Open Container Initiative: other runtimes
    /// ignore it and have their own probes. Its times are in nanoseconds.
    private String config(List<Blob> layers) {
        String time = DateTimeFormatter.ISO_INSTANT.format(options.time());
        List<String> health = new ArrayList<>(List.of("CMD"));
        health.addAll(JAVA);
        health.add("health");
        String history = "{\"created\": \"" + time + "\", \"created_by\": \"kvant package\"}";
        return """
                {
                 "created": "%s", "architecture": "%s", "os": "linux",
                 "config": {
                  "User": "%s", "WorkingDir": "/var/lib/kvant", "Env": %s, "Entrypoint": %s, "Cmd": ["serve"],
                  "ExposedPorts": {"8080/tcp": {}}, "Volumes": {"/var/lib/kvant": {}}, "StopSignal": "SIGTERM",
                  "Healthcheck": {
                   "Test": %s, "Interval": 30000000000, "Timeout": 10000000000, "StartPeriod": 60000000000, "Retries": 3
                  },
                  "Labels": {
                   "org.opencontainers.image.title": "kvant", "org.opencontainers.image.version": "%s",
                   "org.opencontainers.image.licenses": "Apache-2.0"
                  }
                 },
                 "rootfs": {"type": "layers", "diff_ids": %s},
                 "history": [%s]
                }
                """.formatted(
                time,
                options.platform().architecture(),
                USER + ":" + USER,
                strings(ENVIRONMENT),
                strings(JAVA),
                strings(health),
                options.version(),
                strings(layers.stream().map(layer -> "sha256:" + layer.diff()).toList()),
                String.join(", ", Collections.nCopies(layers.size(), history)));
    }

    private static String manifest(Blob config, List<Blob> layers) {
        return """
                {"schemaVersion": 2, "mediaType": "%s", "config": {%s}, "layers": [%s]}
                """.formatted(
                MANIFEST,
                descriptor(config),
                layers.stream().map(layer -> "{" + descriptor(layer) + "}").collect(Collectors.joining(", ")));
    }

    private String index(Blob manifest, String name) {
        return """
                {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [{
                  %s, "platform": {"architecture": "%s", "os": "linux"},
                  "annotations": {
                   "org.opencontainers.image.ref.name": "%s", "io.containerd.image.name": "docker.io/library/%s"
                  }
                }]}
                """.formatted(descriptor(manifest), options.platform().architecture(), options.version(), name);
    }

    private static String dockerManifest(Blob config, List<Blob> layers, String name) {
        return """
                [{"Config": "%s", "RepoTags": ["%s"], "Layers": %s}]
                """.formatted(
                        file(config),
                        name,
                        strings(layers.stream().map(ContainerImage::file).toList()));
    }

    private static String descriptor(Blob blob) {
        return "\"mediaType\": \"%s\", \"digest\": \"sha256:%s\", \"size\": %s"
                .formatted(blob.type(), blob.digest(), blob.size());
    }

    private static String file(Blob blob) {
        return BLOBS + blob.digest();
    }

    /// As JSON; no text here needs escaping.
    private static String strings(List<String> items) {
        return items.stream().collect(Collectors.joining("\", \"", "[\"", "\"]"));
    }
}
