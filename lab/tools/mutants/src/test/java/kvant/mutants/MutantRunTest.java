package kvant.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.tools.ToolProvider;
import kvant.mutants.MutantTrial.Outcome;
import kvant.text.UserException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Mutants of a tree that has one class and its test.
class MutantRunTest {

    private static final String LIST = """
            mutants:
              - name: the sum is a difference
                file: Adder.java
                find: return a + b;
                replace: return a - b;
                test: AdderTest#adds
              - name: the sum is never there
                file: Adder.java
                find: return a + b;
                replace: |-
                  while (true) {
                    java.util.concurrent.locks.LockSupport.park(); }
                test: AdderTest#adds
              - name: the order is another one
                file: Adder.java
                find: return   a + b;
                replace: return b + a;
                test: AdderTest#sumOfNothing
                survives: Addition commutes.
              - name: the sum of nothing is one
                file: Adder.java
                find: return 0;
                replace: return 1;
                test: AdderTest#adds
              - name: this is no Java
                file: Adder.java
                find: return a + b;
                replace: return a +;
                test: AdderTest#adds
              - name: the test fails anyway
                file: Adder.java
                find: return a + b;
                replace: return a - b;
                test: AdderTest#fails
            """;

    @TempDir
    Path tree;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @BeforeEach
    void makeTree() throws IOException {
        write("pom.xml", "<light>-XX:+UseSerialGC</light> <argLine>-Xmx64m ${light}</argLine>");
        Path adder = write("sums/src/main/java/sums/Adder.java", """
                package sums;

                public class Adder {
                    public static int sum(int a, int b) {
                        return a + b;
                    }

                    public static int sum() {
                        return 0;
                    }
                }
                """);
        Path test = write("sums/src/test/java/sums/AdderTest.java", """
                package sums;

                import org.junit.jupiter.api.Assertions;
                import org.junit.jupiter.api.Test;

                class AdderTest {
                    @Test
                    void adds() {
                        Assertions.assertEquals(5, Adder.sum(2, 3));
                    }

                    @Test
                    void fails() {
                        Assertions.fail();
                    }

                    @Test
                    void sumOfNothing() {
                        Adder.sum();
                    }
                }
                """);
        String classPath = System.getProperty("java.class.path");
        write("sums/target/test.classpath", classPath);
        compile(adder, tree.resolve("sums/target/classes"), classPath);
        compile(test, tree.resolve("sums/target/test-classes"), tree.resolve("sums/target/classes") + ":" + classPath);
        write("sums/src/test/mutants/adding.yaml", LIST);
    }

    private Path write(String name, String text) throws IOException {
        Path file = tree.resolve(name);
        Files.createDirectories(file.resolveSibling(""));
        return Files.writeString(file, text);
    }

    private static void compile(Path source, Path into, String classPath) {
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-d", into.toString(), "-cp", classPath, source.toString()))
                .isZero();
    }

    private List<MutantTrial.Result> run(String... filters) throws Exception {
        return run(history(), filters);
    }

    private List<MutantTrial.Result> run(History history, String... filters) throws Exception {
        printed.reset();
        return new Main(tree, new PrintStream(printed, true, StandardCharsets.UTF_8), Duration.ofSeconds(20))
                .run(mutants(), List.of(filters), history);
    }

    private List<Mutant> mutants() {
        return new MutantList(new Modules(tree)).read();
    }

    private History history() throws IOException {
        return new History(tree.resolve("mutants.history"), new Modules(tree), mutants());
    }

    @Test
    void aMutantIsTriedAgainWhenItsEntryItsFileOrItsTestHasChanged() throws Exception {
        Mutant first = mutants().getFirst();
        History history = history();
        for (Mutant mutant : mutants()) {
            history.add(new MutantTrial.Result(mutant, Outcome.CAUGHT, 7, ""));
        }
        history.add(new MutantTrial.Result(first, Outcome.HUNG, 8, ""));
        assertThat(history().of(mutants())).hasSize(6);
        assertThat(history().of(List.of(first))).containsExactly(new MutantTrial.Result(first, Outcome.HUNG, 8, ""));
        run(history());
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("6 unchanged since they were tried, 0 left");

        Path list = write("sums/src/test/mutants/adding.yaml", LIST.replace("return a - b;", "return a * b;"));
        assertThat(history().of(mutants())).as("without the two that changed").hasSize(4);
        Files.writeString(list, LIST);
        history().add(new MutantTrial.Result(first, Outcome.SURVIVED, 9, ""));
        assertThat(history().hasSettled(first)).as("it was not caught").isFalse();
        Path test = tree.resolve("sums/src/test/java/sums/AdderTest.java");
        Files.writeString(test, Files.readString(test) + "// changed");
        assertThat(history().of(mutants())).isEmpty();
    }

    @Test
    void eachMutantHasItsOutcomeAndNoFileIsChanged() throws Exception {
        List<MutantTrial.Result> results = run();

        assertThat(results).hasSize(6);
        assertThat(results.get(0)).matches(MutantTrial.Result::isCaught);
        assertThat(results.subList(1, 6).stream().map(MutantTrial.Result::outcome))
                .containsExactly(Outcome.HUNG, Outcome.SURVIVED, Outcome.SURVIVED, Outcome.BROKEN, Outcome.BROKEN);
        assertThat(results.get(4).why()).startsWith("it does not compile: ");
        assertThat(results.get(5).why()).isEqualTo("its test fails without it");
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("6 mutants, 2 caught, 1 survived as expected")
                .contains("not caught: " + tree.resolve("sums/src/test/mutants/adding.yaml") + ":20 the sum of nothing")
                .doesNotContain("not caught: the sum is a difference");
        assertThat(tree.resolve("sums/src/main/java/sums/Adder.java")).content().contains("return a + b;");
        assertThat(ResultPage.of(results, 8, "now"))
                .contains(
                        "Written by `./kvant test --mutants`, the last time on now.",
                        "**8 mutants, 2 caught, 1 survived as expected, 2 not tried yet**")
                .contains("| [sums/adding](../../sums/src/test/mutants/adding.yaml) | 6 |", "| minutes |")
                .contains("- sums/adding: the sum of nothing is one", "the order is another one: Addition commutes.");
    }

    @Test
    void aFilterChoosesByNameFileOrTest() throws Exception {
        assertThat(run("sum of nothing")).hasSize(1);
        assertThatThrownBy(() -> run("nothing of that kind"))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("no mutant of that name");
    }

    @Test
    void aListThatHasRottenIsRefusedWithEachPlace() throws IOException {
        write("sums/src/test/mutants/rotten.yaml", """
                mutants:
                  - name: gone
                    file: Adder.java
                    find: return a * b;
                    test: AdderTest#adds
                  - name: twice
                    file: Adder.java
                    find: "public static int sum("
                    test: AdderTest#adds
                  - name: elsewhere
                    file: Subtractor.java
                    find: return
                    test: AdderTest#adds
                  - name: untested
                    file: Adder.java
                    find: return a + b;
                    test: AdderTest#subtracts
                  - name: unknown
                    file: Adder.java
                    find: return a + b;
                    replace: return 1;
                    test: SubtractorTest
                  - name: unknown
                    file: Adder.java
                    find: return a + b;
                    replace: return  a + b;
                    test: AdderTest
                """);

        assertThatThrownBy(() -> run("rotten"))
                .hasMessageContainingAll(
                        "rotten.yaml:2: what it changes occurs 0 times in Adder.java",
                        "rotten.yaml:6: what it changes occurs 2 times in Adder.java",
                        "rotten.yaml:10: 0 files are called Subtractor.java in sums",
                        "rotten.yaml:14: AdderTest has no subtracts",
                        "rotten.yaml:18: there is no test SubtractorTest in sums",
                        "rotten.yaml:23: a second mutant of this name",
                        "rotten.yaml:23: it changes nothing");
    }
}
