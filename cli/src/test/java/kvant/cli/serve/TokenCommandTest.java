package kvant.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import kvant.cli.Main;
import kvant.server.access.Scope;
import kvant.server.access.Token;
import kvant.server.access.TokenFile;
import kvant.server.access.TokenSecret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `kvant token new`.
class TokenCommandTest {

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int execute(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    private Token find(Path file, String secret) throws Exception {
        return Objects.requireNonNull(TokenFile.read(file, () -> 0).find(TokenSecret.hash(secret)));
    }

    @Test
    void itShowsTheTokenAndItsLine() throws Exception {
        assertThat(execute("token", "new", "app", "--scope", "read,write", "--rate", "50"))
                .isZero();
        String secret = out.toString().lines().toList().get(0).replaceFirst(".*: *", "");
        String line = out.toString().lines().toList().get(1).replaceFirst("[^:]*: *", "");
        assertThat(secret).startsWith("kvant_");
        assertThat(line).endsWith(" rate=50").doesNotContain(secret);

        Token token = find(Files.writeString(folder.resolve("tokens"), line), secret);
        assertThat(token.name()).isEqualTo("app");
        assertThat(token.has(Scope.READ) && token.has(Scope.WRITE)).isTrue();
        assertThat(token.has(Scope.ADMIN)).isFalse();
    }

    @Test
    void itAddsLinesToAFileOfTheOwnerAloneAndPrintsTheTokenAlone() throws Exception {
        Path file = folder.resolve("tokens");
        assertThat(execute("token", "new", "one", "--scope", "read", "--tokens", file.toString()))
                .isZero();
        String one = out.toString().strip();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Files.writeString(file, Files.readString(file) + "# without a line feed");
        assertThat(execute("token", "new", "two", "--scope", "admin", "--tokens", file.toString()))
                .isZero();
        String two = out.toString().strip();

        assertThat(find(file, one).name()).isEqualTo("one");
        assertThat(find(file, two).name()).isEqualTo("two");
        assertThat(Files.readString(file)).doesNotContain(one).doesNotContain(two);

        assertThat(execute("token", "new", "two", "--scope", "admin", "--tokens", file.toString()))
                .isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().contains("there is a token named 'two'");
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            token                                  | a command is needed: new
            token new                              | needed
            token new app                          | '--scope=SCOPES' is needed
            token new app --scope all              | scopes are read, write and admin
            token new a/b --scope read             | a name is 1 to 64 letters
            token new app --scope read --rate -1   | a rate is 1 or more
            token new app --scope read --rate x    | 'x' is not a whole number
            """)
    void aWrongCommandLineIsExplainedInOneLine(String line, String expected) {
        assertThat(execute(line.split(" +"))).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().contains(expected);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aFileThatCannotBeWrittenIsSaidInOneLineAndNoTokenIsShown() {
        String file = folder.resolve("missing").resolve("tokens").toString();
        assertThat(execute("token", "new", "app", "--scope", "read", "--tokens", file))
                .isEqualTo(1);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .endsWith("cannot write " + file + ": its directory does not exist");
        assertThat(out.toString()).isEmpty();
    }
}
