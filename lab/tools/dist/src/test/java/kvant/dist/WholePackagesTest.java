package kvant.dist;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import kvant.text.JsonFile;
import kvant.text.tool.Tool;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// The packages themselves, made twice at a time, as people use them. What needs a root directory of its own needs root
/// too.
@Tag("full") // six minutes: archives, images and a .deb, built twice, installed and run
@Execution(ExecutionMode.CONCURRENT)
class WholePackagesTest {

    private static final String VERSION = SmallPackages.version();
    private static final long MINUTES = 5;

    @TempDir
    static Path folder;

    private static Path packages = Path.of("");
    private static Path second = Path.of("");
    private static Path home = Path.of("");

    @BeforeAll
    static void make() throws Exception {
        packages = Files.createDirectories(folder.resolve("packages"));
        second = Files.createDirectories(folder.resolve("second"));
        try (ExecutorService beside = Executors.newSingleThreadExecutor()) {
            Future<?> other = beside.submit(() -> makeByProgram(second));
            Packages.make(options(packages), line -> assertThat(line).isNull());
            other.get();
        }
        run(List.of("tar", "-xzf", file(".tar.gz").toString(), "-C", folder.toString()));
        home = folder.resolve("kvant-" + VERSION + "-" + Platform.current().label());
    }

    /// By `./kvant package`, but for its build.
    private static String makeByProgram(Path out) throws Exception {
        Path built = SmallPackages.root().resolve("lab/tools/dist/target");
        String classes = built + "/classes:" + built + "/lib/*:" + built + "/dist/lib/*";
        String time = Long.toString(SmallPackages.TIME.getEpochSecond());
        return run(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-cp",
                classes,
                "kvant.dist.Main",
                SmallPackages.root().toString(),
                VERSION,
                time,
                out.toString()));
    }

    private static PackageOptions options(Path out) {
        return new PackageOptions(SmallPackages.root(), out, VERSION, SmallPackages.TIME, Platform.current());
    }

    @Test
    void twoBuildsGiveTheSameBytes() throws Exception {
        String sums = Files.readString(packages.resolve(Digest.FILE));
        assertThat(Files.readString(second.resolve(Digest.FILE))).isEqualTo(sums);
        assertThat(sums.lines().map(line -> line.substring(66).replaceFirst("^.*?(?=\\.(tar|deb|tgz|image))", "")))
                .contains(".tar.gz", ".deb", ".image.tar", ".tgz");
    }

    @Test
    void checksumsAreThoseOfTheFiles() throws Exception {
        for (Path sums : List.of(packages.resolve(Digest.FILE), home.resolve(Digest.FILE))) {
            List<String> lines = Files.readAllLines(sums);
            assertThat(lines).hasSizeGreaterThan(4);
            for (String line : lines) {
                Path summed = requireNonNull(sums.getParent()).resolve(line.substring(66));
                assertThat(Digest.sha256(summed)).as(line).isEqualTo(line.substring(0, 64));
            }
        }
    }

    @Test
    void theArchiveServesWithoutAnyJavaAndWithoutAPath() throws Exception {
        Path out = folder.resolve("archive.out");
        Path data = folder.resolve("a data folder, käse-данные");
        ProcessBuilder builder = new ProcessBuilder(
                        home.resolve("bin/kvant").toString(),
                        "serve",
                        "--port",
                        "0",
                        "--warm-up",
                        "0",
                        "--data",
                        data.toString())
                .redirectOutput(out.toFile())
                .redirectError(folder.resolve("archive.err").toFile());
        builder.environment().clear();
        Process node = builder.start();
        try (HttpClient client = HttpClient.newHttpClient()) {
            URI entity = URI.create(url(node, out) + "/v0/entity?id=a");

            HttpRequest put = HttpRequest.newBuilder(entity)
                    .PUT(HttpRequest.BodyPublishers.ofString("one"))
                    .build();
            assertThat(client.send(put, HttpResponse.BodyHandlers.discarding()).statusCode())
                    .isEqualTo(201);
            HttpRequest get = HttpRequest.newBuilder(entity).build();
            assertThat(client.send(get, HttpResponse.BodyHandlers.ofString()).body())
                    .isEqualTo("one");
            node.destroy();
            assertThat(node.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(node.exitValue()).isZero();
        } finally {
            node.destroyForcibly();
        }
    }

    @Test
    void eachCommandHasItsPage() throws Exception {
        Path page = home.resolve("share/man/man1/kvant-serve.1.gz");
        try (InputStream in = new GZIPInputStream(Files.newInputStream(page))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).contains(".TH", "access");
        }
        assertThat(home.resolve("share/man/man1/kvant.1.gz")).isNotEmptyFile();
    }

    @Test
    void onlyItsOwnNativeLibrariesAreThere() throws IOException {
        List<String> natives = new ArrayList<>();
        try (Stream<Path> jars = Files.list(home.resolve("lib/app"))) {
            for (Path jar : jars.toList()) {
                try (JarFile in = new JarFile(jar.toFile())) {
                    in.stream()
                            .map(entry -> entry.getName())
                            .filter(name -> name.matches(".*\\.(so|dll|dylib|jnilib)"))
                            .forEach(natives::add);
                }
            }
        }
        assertThat(natives).noneMatch(Platform.current()::isForeign);
        for (String library : List.of("rocksdb", "zstd", "lz4", "epoll", "io_uring", "asyncProfiler")) {
            assertThat(natives)
                    .as(library)
                    .filteredOn(name -> name.contains(library))
                    .hasSize(1);
        }
    }

    @Test
    void everyPartIsNamedAndTheTextOfItsLicenceIsThere() throws IOException {
        Map<String, ?> parts = JsonFile.read(home.resolve("sbom.cdx.json"), "parts", 8 << 20);
        String notice = Files.readString(home.resolve("NOTICE"));
        List<Map<?, ?>> components = Notice.objects(parts.get("components"));

        assertThat(components).hasSizeGreaterThan(30);
        for (Map<?, ?> part : components) {
            if (part.get("group").equals("kvant")) {
                continue;
            }
            String name = String.valueOf(part.get("name"));
            assertThat(notice).contains(part.get("group") + ":" + name + " " + part.get("version") + ", ");
            List<String> licences = Notice.licences(part);
            boolean isHere = licences.contains("Apache-2.0")
                    || licences.contains("CC0-1.0") // asks for no text
                    || (licences.contains("LGPL-2.1-only") && Files.exists(home.resolve("licences/LGPL-2.1.txt")))
                    || Files.exists(home.resolve("licences/" + name + ".txt"))
                    || Files.exists(home.resolve("licences/" + name + "-" + part.get("version")));
            assertThat(isHere).as(name + " " + licences).isTrue();
        }
        assertThat(home.resolve("lib/runtime/legal/java.base/LICENSE")).exists();
    }

    @Test
    void theDebianPackageLivesAndDies() throws Exception {
        assumeOwnRoot();
        Tool.DPKG_DEB.need();

        assertThat(script("debian-package.sh", file(".deb").toString())).endsWith("all of it held\n");
    }

    @Test
    void theImageRunsInItsOwnRootAndAsItsOwnUser() throws Exception {
        assumeOwnRoot();
        assumeTrue(LibC.isKnown(), "no image is made here");
        Path image = Files.createDirectories(folder.resolve("image"));
        Path blobs = Files.createDirectories(folder.resolve("blobs"));
        run(List.of("tar", "-xf", file(".image.tar").toString(), "-C", blobs.toString()));
        JsonObject docker =
                json(blobs.resolve("manifest.json")).getAsJsonArray().get(0).getAsJsonObject();
        for (String layer : strings(docker.getAsJsonArray("Layers"))) {
            run(List.of("tar", "-xzpf", blobs.resolve(layer).toString(), "-C", image.toString()));
        }
        JsonObject config = json(blobs.resolve(docker.get("Config").getAsString()))
                .getAsJsonObject()
                .getAsJsonObject("config");
        List<String> words =
                new ArrayList<>(List.of(image.toString(), config.get("User").getAsString()));
        words.addAll(strings(config.getAsJsonArray("Env")));
        words.add("--");
        words.addAll(strings(config.getAsJsonArray("Entrypoint")));

        assertThat(script("container-image.sh", words.toArray(String[]::new))).endsWith("all of it held\n");
    }

    /// Tries it: some containers have a root who may not mount.
    private static void assumeOwnRoot() throws Exception {
        Tool.CURL.need();
        Tool.SETPRIV.need();
        String trial =
                "command -v curl && command -v setpriv && . " + Path.of("src/test/scripts/root.sh") + " && own_root";
        Process process = new ProcessBuilder("unshare", "-m", "-n", "sh", "-c", trial)
                .redirectErrorStream(true)
                .redirectOutput(Files.createTempFile(folder, "trial", "").toFile())
                .start();
        assumeTrue(process.waitFor() == 0, "a root directory of its own needs root, and may not be had here");
    }

    private static String script(String name, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("unshare", "-m", "-n"));
        command.add(Path.of("src/test/scripts").resolve(name).toAbsolutePath().toString());
        command.addAll(List.of(words));
        return run(command);
    }

    private static Path file(String ending) throws IOException {
        try (Stream<Path> files = Files.list(packages)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static JsonElement json(Path file) throws IOException {
        return JsonParser.parseString(Files.readString(file));
    }

    private static List<String> strings(JsonArray array) {
        return array.asList().stream().map(JsonElement::getAsString).toList();
    }

    /// Of a node that starts, once it says so.
    private static String url(Process node, Path out) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (node.isAlive() && System.nanoTime() < deadline) {
            String said = Files.readString(out);
            if (said.startsWith("listening on ") && said.endsWith("\n")) {
                return said.lines().findFirst().orElseThrow().replace("listening on ", "");
            }
            node.waitFor(20, TimeUnit.MILLISECONDS);
        }
        throw new AssertionError("it did not start: " + Files.readString(folder.resolve("archive.err")));
    }

    /// @return what the command printed
    private static String run(List<String> command) throws Exception {
        Path said = Files.createTempFile(folder, "said", "");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
        process.destroyForcibly();
        String text = Files.readString(said, StandardCharsets.UTF_8);
        assertThat(ended && process.exitValue() == 0)
                .as(String.join(" ", command) + "\n" + text)
                .isTrue();
        return text;
    }
}
