package kvant.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Valid files of tokens, and the errors for invalid ones.
class TokenFileTest {

    private static final String HASH = "sha256:" + "0a".repeat(32);

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("tokens");
    }

    private Tokens read(String text) throws Exception {
        Files.writeString(file(), text);
        return TokenFile.read(file(), () -> 0);
    }

    @Test
    void aTokenIsFoundByItsSecretAloneAndAllowsWhatItsLineNames() throws Exception {
        String secret = TokenSecret.generate(new SecureRandom());
        String other = TokenSecret.generate(new SecureRandom());
        Tokens tokens = read("# who may what\n\n" + TokenFile.line("app", EnumSet.of(Scope.READ), secret, 0) + "\n  "
                + TokenFile.line("boss@home", EnumSet.of(Scope.WRITE, Scope.ADMIN), other, 7) + "  \n");

        assertThat(tokens.all()).hasSize(2);
        Token app = Objects.requireNonNull(tokens.find(TokenSecret.hash(secret)));
        assertThat(app.name()).isEqualTo("app");
        assertThat(app.has(Scope.READ)).isTrue();
        assertThat(app.has(Scope.WRITE) || app.has(Scope.ADMIN)).isFalse();
        Token boss = Objects.requireNonNull(tokens.find(TokenSecret.hash(other)));
        assertThat(boss.name()).isEqualTo("boss@home");
        assertThat(boss.has(Scope.WRITE) && boss.has(Scope.ADMIN)).isTrue();
        assertThat(boss.has(Scope.READ)).isFalse();
        assertThat(tokens.find(TokenSecret.hash(secret + "x"))).isNull();
        assertThat(tokens.find(new byte[TokenSecret.HASH_BYTES])).isNull();
    }

    @Test
    void secretsHave256RandomBits() {
        Set<String> secrets = new HashSet<>();
        SecureRandom random = new SecureRandom();
        for (int i = 0; i < 1000; i++) {
            String secret = TokenSecret.generate(random);
            assertThat(secret).matches("kvant_[A-Za-z0-9_-]{43}");
            secrets.add(secret);
        }
        assertThat(secrets).hasSize(1000);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            app                          | a line is NAME SCOPES sha256:HASH
            app read                     | a line is NAME SCOPES sha256:HASH
            app read HASH rate=1 more    | a line is NAME SCOPES sha256:HASH
            a/b read HASH                | a name is 1 to 64 letters
            -ab read HASH                | a name is 1 to 64 letters
            app reed HASH                | scopes are read, write and admin
            app read,read HASH           | scopes are read, write and admin
            app read, HASH               | scopes are read, write and admin
            app READ HASH                | scopes are read, write and admin
            app read sha256:00           | the third word is sha256: and 64
            app read kvant_secret        | the third word is sha256: and 64
            app read HASH rate=0         | a rate is rate= and the requests
            app read HASH rate=-1        | a rate is rate= and the requests
            app read HASH rate=99999999  | a rate is rate= and the requests
            app read HASH fast           | a rate is rate= and the requests
            one read HASH                | there is a token of this name above
            """)
    void aWrongLineIsNamedByFileAndNumberAndNotShown(String line, String expected) {
        String text = "one admin " + HASH + "\n# two\n" + line.replace("HASH", HASH) + "\n";

        assertThatThrownBy(() -> read(text))
                .isInstanceOf(InvalidFileException.class)
                .hasMessageContaining(file() + ", line 3: " + expected)
                .hasMessageNotContaining("kvant_secret")
                .hasMessageNotContaining("0a0a");
    }

    @Test
    void aFileThatOthersMayChangeIsNotTrusted() throws Exception {
        Files.writeString(file(), "app read " + HASH);
        for (String mode : new String[] {"rw--w----", "rw-----w-"}) {
            Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString(mode));
            assertThatThrownBy(() -> TokenFile.read(file(), () -> 0))
                    .hasMessageContaining("token file " + file())
                    .hasMessageContaining("may be written by other users (" + mode + "): chmod go-w it");
        }
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(TokenFile.read(file(), () -> 0).all()).hasSize(1);

        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> TokenFile.read(file(), () -> 0))
                .hasMessageContaining("is in a directory that may be written by other users");
    }

    @Test
    void whatIsNoPlainFileIsSaidInOneLine() throws Exception {
        assertThatThrownBy(() -> TokenFile.read(file(), () -> 0)).hasMessage("there is no token file " + file());
        assertThatThrownBy(() -> TokenFile.read(folder, () -> 0))
                .hasMessage("token file " + folder + " is no plain file");
        Files.write(file(), new byte[(1 << 20) + 1]);
        assertThatThrownBy(() -> TokenFile.read(file(), () -> 0)).hasMessageContaining("is longer than 1 MiB");
    }

    @Test
    void thereAreAThousandTokensAtMost() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= 1000; i++) {
            text.append("t").append(i).append(" read ").append(HASH).append('\n');
        }
        assertThat(read(text.toString()).all()).hasSize(1000);
        assertThatThrownBy(() -> read(text + "last read " + HASH)).hasMessageContaining("line 1001: there are at most");
    }
}
