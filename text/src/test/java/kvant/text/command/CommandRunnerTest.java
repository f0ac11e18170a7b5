package kvant.text.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import kvant.text.ExitCode;
import kvant.text.FileTrouble;
import kvant.text.UserException;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Whatever a command throws is one line and a code.
class CommandRunnerTest {

    private static final class ToldException extends Exception {

        private static final long serialVersionUID = 1;

        ToldException(String message) {
            super(message);
        }
    }

    enum Size {
        SMALL,
        LARGE
    }

    @Command(name = "try")
    private static final class Try implements Callable<Integer> {

        private final Throwable failure;

        @Option(names = "--count")
        private int count;

        @Option(names = "--size")
        private Size size = Size.SMALL;

        @Option(names = "--folder")
        private Path folder = Path.of("data");

        Try(Throwable failure) {
            this.failure = failure;
        }

        @Override
        public Integer call() throws Exception {
            if (failure instanceof Error error) {
                throw error;
            }
            throw (Exception) failure;
        }
    }

    private final StringWriter err = new StringWriter();

    private int run(Throwable failure, String... arguments) {
        return new CommandRunner(new CommandLine(new Try(failure)), List.of(ToldException.class))
                .run(new PrintWriter(new StringWriter()), new PrintWriter(err, true), arguments);
    }

    @Test
    void aFailureForAPersonIsItsFirstLine() {
        assertThat(run(new UserException("no such file\nat all"))).isEqualTo(ExitCode.FAILED);
        assertThat(run(new ToldException("the log ends early"))).isEqualTo(ExitCode.FAILED);

        assertThat(err.toString().lines()).containsExactly("kvant: no such file", "kvant: the log ends early");
    }

    @Test
    void wantOfMemoryIsALineAndNoFaultOfTheProgram() {
        assertThat(run(new OutOfMemoryError("Cannot reserve 64 bytes of direct buffer memory")))
                .isEqualTo(ExitCode.FAILED);

        assertThat(err.toString().lines())
                .containsExactly("kvant: not enough memory: Cannot reserve 64 bytes of direct buffer memory"
                        + " (KVANT_JAVA_OPTS=-Xmx1g allows more)");
    }

    @Test
    void anArgumentThatWasNotDecodedIsRefused() {
        assertThat(run(new UserException("not reached"), "--folder", "k\uFFFDse"))
                .isEqualTo(ExitCode.USAGE);

        assertThat(err.toString().lines()).singleElement().asString().contains("'k\uFFFDse' is not UTF-8");
    }

    @Test
    void whatIsNoPathIsSaidInOneLine() {
        assertThat(run(new InvalidPathException("a\0b", "Nul character not allowed")))
                .isEqualTo(ExitCode.FAILED);

        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("kvant: 'a\0b' is not a path: Nul character not allowed");
    }

    @Test
    void aLocaleThatLacksLettersIsNamed() {
        assertThat(FileTrouble.localeRemedy("UTF-8")).isEmpty();
        assertThat(FileTrouble.localeRemedy("ANSI_X3.4-1968")).contains("ANSI_X3.4-1968", "LC_ALL=C.UTF-8");
    }

    @Test
    void anyOtherFailureIsSaidToBeAFaultOfTheProgram() {
        assertThat(run(new IOException("gone"))).isEqualTo(ExitCode.FAILED);
        assertThat(run(new StackOverflowError())).isEqualTo(ExitCode.FAILED);

        assertThat(err.toString().lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).contains("-Dkvant.debug=true"))
                .first()
                .asString()
                .startsWith("kvant: internal error: IOException: gone (");
    }

    @Test
    void aWrongCommandLineIsOneLineWithWhereToLook() {
        assertThat(run(new IOException(), "--cuont", "1")).isEqualTo(ExitCode.USAGE);
        assertThat(run(new IOException(), "--count", "many")).isEqualTo(ExitCode.USAGE);
        assertThat(run(new IOException(), "--size", "huge")).isEqualTo(ExitCode.USAGE);

        assertThat(err.toString().lines())
                .satisfiesExactly(
                        unknown -> assertThat(unknown)
                                .isEqualTo("kvant: unknown option '--cuont'; did you mean '--count'?"
                                        + " (see 'try --help')"),
                        number -> assertThat(number).contains("'many' is not a whole number"),
                        choice -> assertThat(choice).contains("'huge' is not one of small, large"));
    }

    /// It would be the current directory, where a variable of a shell is not set.
    @Test
    void aPathIsNotEmpty() {
        assertThat(run(new IOException(), "--folder", "")).isEqualTo(ExitCode.USAGE);
        assertThat(run(new IOException(), "--folder=")).isEqualTo(ExitCode.USAGE);
        assertThat(run(new IOException(), "--folder", "a\0b")).isEqualTo(ExitCode.USAGE);

        assertThat(err.toString().lines())
                .satisfiesExactly(
                        word -> assertThat(word).contains("'--folder'", "the path is empty"),
                        joined -> assertThat(joined).contains("'--folder'", "the path is empty"),
                        impossible -> assertThat(impossible).contains("is not a path: "));
    }
}
