package kvant.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import kvant.text.child.QuickNodes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/// Each benchmark runs, as small as it can be. Says nothing of figures.
@Tag("full") // three minutes: every benchmark once
class SmokeTest {

    private final PrintStream realOut = System.out;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void capture() {
        QuickNodes.use("-Xmx512m");
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void release() {
        System.setOut(realOut);
    }

    private int bench(String... words) {
        return Main.execute(new PrintWriter(System.out, true), new PrintWriter(err, true), words);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    static Stream<Arguments> benchmarks() {
        return Stream.of(
                arguments("engine --quick --keys 2000 --rounds 1 --slice 0.01", "| full scan, records |"),
                arguments("engine --quick --keys 500 --rounds 1 --slice 0.01 --only SCAN --format json", "\"ratio\":"),
                arguments("http --rounds 1 --seconds 0.2 --warmup 0.1 --connections 2 --executors sync", "| sync |"),
                arguments(
                        "start --rounds 1 --caches none --warm-ups 0 --restart --keys 50 --rate 200 --between 0"
                                + " --first 0.2 --later 0.2 --closed 0.2 --connections 2",
                        "each on a store with 50 keys"),
                arguments(
                        "beside --rounds 1 --seconds 0.2 --connections 2 --keys 50 --servers kvant,kvant-resp"
                                + " --variant late=-Dnothing=0 --loads get,put@50,get*4",
                        "| late-resp |"),
                arguments(
                        "archive --trials 1 --intervals 0.2 --rate 200 --rounds 1 --seconds 0.5 --warmup 0.2 --rates 50"
                                + " --connections 2",
                        "Restore of"),
                arguments("load --repeats 1 --seconds 0.2 --warmup 0.1 --connections 2 --rate 500", "| 1 | poisson |"));
    }

    @ParameterizedTest
    @MethodSource("benchmarks")
    void runs(String words, String expected) {
        if (words.startsWith("start ")) {
            System.setProperty("kvant.node.options", "-Xmx512m"); // it says itself which archive of classes a node has
        }
        assertThat(bench(words.split(" "))).as(err.toString()).isZero();

        assertThat(out()).contains(expected);
    }

    @Test
    void growthTellsWhatEachStoreTakesOnTheDisk() {
        int code = bench("growth --keys 5000 --small-keys 500 --log 100000 --slice 0.01".split(" "));

        assertThat(code).as(err.toString()).isZero();
        assertThat(out())
                .contains("| keys and values, 500 keys, MB | 0.1 |", "| keys and values, 5000 keys, MB | 0.6 |");
        assertThat(figures("for each byte of keys and values")).hasSize(2).allSatisfy(SmokeTest::isOfOneStore);
        assertThat(figures("the most while it was filled")).hasSize(2).allSatisfy(SmokeTest::isOfOneStore);
        assertThat(out()).contains("| replay, MB/s |");
    }

    @Test
    void memoryComparesStoresInGroupsOfTheirOwn() {
        assumeTrue(Files.isWritable(Path.of("/sys/fs/cgroup/memory")), "not run here: no right to make memory cgroups");
        int code = bench("memory --memory 256MiB --keys 2000 --rounds 1 --slice 0.1".split(" "));

        assertThat(code).as(err.toString()).isZero();
        assertThat(out()).contains("| uniform |", "| zipfian |", "| mixed |");
        assertThat(Path.of("/sys/fs/cgroup/memory")).isDirectoryNotContaining("glob:**kvant-bench-*");
    }

    private static void isOfOneStore(double bytesOnDisk) {
        assertThat(bytesOnDisk).isBetween(1.0, 2.0);
    }

    /// Of the lines of a table that begin with this.
    private List<Double> figures(String line) {
        return Pattern.compile("\\| " + line + " \\| \\*\\*([0-9.]+)\\*\\* \\|")
                .matcher(out())
                .results()
                .map(found -> Double.valueOf(found.group(1)))
                .toList();
    }

    @Test
    void anUnknownOptionIsRefusedInALine() {
        assertThat(bench("engine", "--nonsense", "file")).isEqualTo(2);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("kvant: unknown option '--nonsense'")
                .endsWith("(see 'kvant bench engine --help')");
    }

    @Test
    void anUnknownNameIsRefusedInALine() {
        assertThat(bench("nothing")).isEqualTo(2);
        assertThat(err.toString().lines()).hasSize(1);
        assertThat(bench()).isEqualTo(2);
    }

    /// The launcher looks a name up in the sources: it must stand there as it looks for it.
    @Test
    void theLauncherFindsEachName() throws IOException {
        Set<String> names = new CommandLine(new Main()).getSubcommands().keySet();
        String sources;
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            sources = files.filter(Files::isRegularFile).map(SmokeTest::text).collect(Collectors.joining());
        }

        assertThat(names).isNotEmpty().allSatisfy(name -> assertThat(sources).contains("name = \"" + name + "\","));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
