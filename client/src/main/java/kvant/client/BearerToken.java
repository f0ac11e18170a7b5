package kvant.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Suppliers of the client's token.
public final class BearerToken {

    private static final int MAX_BYTES = 256;

    private BearerToken() {}

    /// The token in a file, as `kvant token new` prints it. The file is read again when it has changed, so that a token
    /// may be replaced while the program runs.
    public static Supplier<String> file(Path file) {
        return new TokenInFile(file);
    }

    /// @return a word that can stand in a header
    static String checked(String token, String where) {
        if (token.isEmpty() || token.length() > MAX_BYTES || !token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException(where + " holds no token: one word, as 'kvant token new' prints");
        }
        return token;
    }

    private static final class TokenInFile implements Supplier<String> {

        private final Path file;

        // Guarded by this.
        private @Nullable FileTime modified;
        private String token = "";

        TokenInFile(Path file) {
            this.file = file;
        }

        @Override
        public synchronized String get() {
            try {
                FileTime now = Files.getLastModifiedTime(file);
                if (!now.equals(modified)) {
                    try (InputStream in = Files.newInputStream(file)) {
                        token = checked(new String(in.readNBytes(2 * MAX_BYTES), ISO_8859_1).strip(), file.toString());
                    }
                    modified = now;
                }
                return token;
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read the token in " + file, e);
            }
        }

        @Override
        public String toString() {
            return "the token in " + file;
        }
    }
}
