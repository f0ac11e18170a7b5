package kvant.load.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import kvant.load.truth.TestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The load generator as a process of its own, with this module, kvant-text and four libraries.
class AloneTest {

    private static final List<String> LIBRARIES =
            List.of("jspecify", "HdrHistogram", "picocli", "jackson-core", "snakeyaml");

    @TempDir
    private Path folder;

    /// From the class path of this test, which has what tests need besides.
    private static List<String> ownClassPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.endsWith("classes") && !entry.endsWith("test-classes")
                        || entry.contains("kvant-")
                        || LIBRARIES.stream().anyMatch(library -> nameOf(entry).startsWith(library)))
                .toList();
    }

    private static String nameOf(String entry) {
        return String.valueOf(Path.of(entry).getFileName());
    }

    private record Ended(int code, String out, String err) {}

    private Ended run(String... arguments) throws IOException, InterruptedException {
        return run(_ -> {}, arguments);
    }

    /// @param meanwhile may do something to the process
    private Ended run(Consumer<Process> meanwhile, String... arguments) throws IOException, InterruptedException {
        return run(List.of(), meanwhile, arguments);
    }

    private Ended run(List<String> jvmOptions, Consumer<Process> meanwhile, String... arguments)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                String.join(File.pathSeparator, ownClassPath()),
                Main.class.getName()));
        command.addAll(1, jvmOptions);
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            meanwhile.accept(process);
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
            return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void needsNeitherServerNorEngineNorLaboratory() {
        String modules = ownClassPath().stream()
                .map(entry -> entry.replace(File.separator + "target" + File.separator + "classes", ""))
                .map(AloneTest::nameOf)
                .filter(name -> LIBRARIES.stream().noneMatch(name::startsWith))
                .map(name -> name.replaceAll("kvant-|-[0-9].*", ""))
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));

        assertThat(modules).isEqualTo("load, text");
    }

    /// Formats of the JDK have Arabic digits in Egypt.
    @Test
    void numbersAreTheSameInEveryLanguage() throws Exception {
        try (TestServer server = TestServer.start(TestServer.Exchange::ok)) {
            List<String> egypt = List.of("-Duser.language=ar", "-Duser.country=EG");

            Ended load = run(
                    egypt,
                    _ -> {},
                    "-c2",
                    "-d300ms",
                    "-R100",
                    "--warmup",
                    "0s",
                    "--workload",
                    "get",
                    "--keys",
                    "10",
                    "--prefill",
                    server.url());

            assertThat(load.err()).containsPattern("filled with 10 keys in [0-9]\\.[0-9] s");
            assertThat(load.out() + load.err()).doesNotContainPattern("[\u0660-\u0669\u066b\u066c]");
        }
    }

    @Test
    void measuresAndCompares() throws Exception {
        try (TestServer server = TestServer.start(TestServer.Exchange::ok)) {
            Path json = folder.resolve("a.json");
            Ended load = run("-c2", "-d300ms", "-R100", "--warmup", "0s", "--json", json.toString(), server.url());

            assertThat(load.err()).doesNotContain("Exception", "internal error");
            assertThat(load.out()).contains("30 requests answered", "Statuses: 200 x 30");
            assertThat(json).content().contains("\"schema\": \"kvant-load/1\"");

            String valid = Files.readString(json) // whatever this machine does meanwhile
                    .replaceFirst("\"validity\": \"\\w+\"", "\"validity\": \"valid\"");
            Files.writeString(json, valid);
            Ended compare = run("compare", json.toString(), json.toString());
            assertThat(compare.err()).isEmpty();
            assertThat(compare.out()).contains("Too little to compare");
            assertThat(compare.code()).isZero();
        }
    }

    @Test
    void saysInOneLineThatItCannotSendInRealTimeAndSendsNothing() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (TestServer server = TestServer.start(exchange -> {
            asked.incrementAndGet();
            exchange.ok();
        })) {
            Ended load = run("--realtime", "-t256", "-c256", "-d300ms", "-R100", server.url());

            assertThat(load.out()).isEmpty();
            assertThat(load.err()).doesNotContain("Exception", "internal error");
            assertThat(load.err().lines().toList())
                    .last() // after what may be said of a busy machine
                    .asString()
                    .startsWith("kvant: cannot send in real time: 256 threads on ");
            assertThat(load.code()).isEqualTo(1);
        }
        assertThat(asked).hasValue(0);
    }

    @Test
    void saysInOneLineThatItWasStoppedBeforeItMeasured() throws Exception {
        CountDownLatch loaded = new CountDownLatch(10);
        try (TestServer server = TestServer.start(exchange -> {
            exchange.ok();
            loaded.countDown();
        })) {
            Ended load = run(
                    process -> {
                        await(loaded);
                        process.destroy(); // SIGTERM
                    },
                    "-c2",
                    "-d60s",
                    "-R200",
                    "--warmup",
                    "60s",
                    server.url());

            assertThat(load.out()).isEmpty();
            assertThat(load.err().lines().filter(line -> line.startsWith("kvant: nothing")))
                    .containsExactly("kvant: nothing was measured: stopped before its end, within the warm-up");
            assertThat(load.code()).isEqualTo(1);
        }
    }

    private static void await(CountDownLatch loaded) {
        try {
            assertThat(loaded.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void explainsAWrongCommandLineInOneLine() throws Exception {
        assertThat(run("--conections", "3", "http://127.0.0.1:1")).satisfies(ended -> {
            assertThat(ended.code()).isEqualTo(2);
            assertThat(ended.err())
                    .isEqualToNormalizingNewlines("kvant: unknown option '--conections';"
                            + " did you mean '--connections'? (see 'kvant-load --help')\n");
        });
    }
}
