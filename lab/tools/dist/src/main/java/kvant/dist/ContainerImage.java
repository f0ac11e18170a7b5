package kvant.dist;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import kvant.text.Json;

/// A container image in one tar archive, by the image layout of the Open Container Initiative, with the file
/// `manifest.json` by which `docker load` finds its way too.
///
/// Two layers: libraries of the system, which change seldom, and the program. No shell, and a user who is not
/// root.
final class ContainerImage {

    private static final String HOME = "opt/kvant";
    private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
    private static final String CONFIG = "application/vnd.oci.image.config.v1+json";
    private static final String LAYER = "application/vnd.oci.image.layer.v1.tar+gzip";

    private static final String BLOBS = "blobs/sha256/";

    /// What the launcher of the other packages runs, without the shell that it needs.
    static final List<String> JAVA = List.of(
            "/" + HOME + "/lib/runtime/bin/java",
            "@/" + HOME + "/lib/jvm.options",
            "-cp",
            "/" + HOME + "/lib/app/*",
            "kvant.cli.Main");

    /// A container is reached from outside; the data lie in a directory of their own, because a volume may be
    /// open to a group. Names of files are UTF-8: there is no launcher that says so.
    private static final List<String> ENVIRONMENT =
            List.of("LC_ALL=C.UTF-8", "KVANT_DATA=/var/lib/kvant/data", "KVANT_HOST=0.0.0.0");

    /// Beyond the users that distributions give to people.
    private static final String USER = "65532";

    private static final long SECOND = 1_000_000_000;

    private final PackageOptions options;
    private final Path work;
    private final TarWriter tars;

    ContainerImage(PackageOptions options, Path work) {
        this.options = options;
        this.work = work;
        tars = new TarWriter(options.time());
    }

    /// @param diff what the layer is called before it is compressed
    private record Blob(String type, String digest, long size, String diff) {}

    /// @param libraries of the system
    Path write(FileTree libraries, FileTree program) throws IOException {
        FileTree blobs = new FileTree().text("oci-layout", "{\"imageLayoutVersion\":\"1.0.0\"}", FileTree.PLAIN);
        List<Blob> layers = List.of(
                layer(blobs, "system", system(libraries)), layer(blobs, "program", new FileTree().all(HOME, program)));
        Blob config = blob(blobs, CONFIG, json(out -> config(out, layers)));
        Blob manifest = blob(blobs, MANIFEST, json(out -> manifest(out, config, layers)));
        String name = "kvant:" + options.version();
        blobs.text("index.json", json(out -> index(out, manifest, name)), FileTree.PLAIN);
        blobs.text("manifest.json", json(out -> dockerManifest(out, config, layers, name)), FileTree.PLAIN);
        return tars.tar(options.out().resolve(options.name() + ".image.tar"), blobs);
    }

    /// What a program finds around it: names of its user, where names of hosts come from, folders to write
    /// into.
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
        MessageDigest plain = Digest.sha256();
        try (OutputStream zipped = Files.newOutputStream(file)) {
            tars.gzip(zipped, tree, plain);
        }
        String digest = Digest.sha256(file);
        blobs.file(BLOBS + digest, file, FileTree.PLAIN);
        return new Blob(LAYER, digest, Files.size(file), Digest.hex(plain));
    }

    private static Blob blob(FileTree blobs, String type, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        MessageDigest digest = Digest.sha256();
        digest.update(bytes);
        String hex = Digest.hex(digest);
        blobs.bytes(BLOBS + hex, bytes, FileTree.PLAIN);
        return new Blob(type, hex, bytes.length, "");
    }

    private interface Writing {
        void to(Json out);
    }

    private static String json(Writing writing) {
        Json out = Json.line();
        writing.to(out);
        return out.toString();
    }

    private void config(Json out, List<Blob> layers) {
        String time = DateTimeFormatter.ISO_INSTANT.format(options.time());
        out.open()
                .put("created", time)
                .put("architecture", options.platform().oci())
                .put("os", "linux");
        out.open("config").put("User", USER + ":" + USER).put("WorkingDir", "/var/lib/kvant");
        list(out, "Env", ENVIRONMENT);
        list(out, "Entrypoint", JAVA);
        list(out, "Cmd", List.of("serve"));
        out.open("ExposedPorts").open("8080/tcp").close().close();
        out.open("Volumes").open("/var/lib/kvant").close().close();
        health(out);
        out.open("Labels")
                .put("org.opencontainers.image.title", "kvant")
                .put("org.opencontainers.image.version", options.version())
                .put("org.opencontainers.image.licenses", "Apache-2.0")
                .close();
        out.put("StopSignal", "SIGTERM").close();
        out.open("rootfs").put("type", "layers");
        list(
                out,
                "diff_ids",
                layers.stream().map(layer -> "sha256:" + layer.diff()).toList());
        out.close();
        out.openList("history");
        layers.forEach(_ -> out.open()
                .put("created", time)
                .put("created_by", "kvant package")
                .close());
        out.closeList().close();
    }

    /// An extension of Docker, which reserves the name in the format of the Open Container Initiative: others
    /// pass it over and have probes of their own.
    private static void health(Json out) {
        List<String> test = new ArrayList<>(List.of("CMD"));
        test.addAll(JAVA);
        test.add("health");
        out.open("Healthcheck");
        list(out, "Test", test);
        out.put("Interval", 30 * SECOND)
                .put("Timeout", 10 * SECOND)
                .put("StartPeriod", 60 * SECOND)
                .put("Retries", 3)
                .close();
    }

    private static void manifest(Json out, Blob config, List<Blob> layers) {
        out.open().put("schemaVersion", 2).put("mediaType", MANIFEST).open("config");
        descriptor(out, config).close();
        out.openList("layers");
        layers.forEach(layer -> descriptor(out.open(), layer).close());
        out.closeList().close();
    }

    private void index(Json out, Blob manifest, String name) {
        out.open().put("schemaVersion", 2).put("mediaType", "application/vnd.oci.image.index.v1+json");
        descriptor(out.openList("manifests").open(), manifest);
        out.open("platform")
                .put("architecture", options.platform().oci())
                .put("os", "linux")
                .close();
        out.open("annotations")
                .put("org.opencontainers.image.ref.name", options.version())
                .put("io.containerd.image.name", "docker.io/library/" + name)
                .close();
        out.close().closeList().close();
    }

    private static void dockerManifest(Json out, Blob config, List<Blob> layers, String name) {
        out.openList().open().put("Config", file(config));
        list(out, "RepoTags", List.of(name));
        list(out, "Layers", layers.stream().map(ContainerImage::file).toList());
        out.close().closeList();
    }

    private static Json descriptor(Json out, Blob blob) {
        return out.put("mediaType", blob.type())
                .put("digest", "sha256:" + blob.digest())
                .put("size", blob.size());
    }

    private static String file(Blob blob) {
        return BLOBS + blob.digest();
    }

    private static void list(Json out, String name, List<String> items) {
        out.openList(name);
        items.forEach(out::add);
        out.closeList();
    }
}
