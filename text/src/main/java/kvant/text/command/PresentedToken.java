package kvant.text.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import kvant.text.FileTrouble;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// The client's bearer token, read from the file that an option names: on a command line every user of the machine
/// could read it.
///
/// @param word as the file has it
public record PresentedToken(String word) {

    private static final int MAX_BYTES = 256;

    /// @param where it was found, for the message
    /// @throws IllegalArgumentException saying in one line that this is no token
    public static PresentedToken of(String token, String where) {
        if (token.isEmpty() || token.length() > MAX_BYTES || !token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException(where + " holds no token: one word, as 'kvant token new' prints");
        }
        return new PresentedToken(token);
    }

    /// The value of the header `Authorization`.
    public String authorization() {
        return "Bearer " + word;
    }

    /// Does not show it.
    @Override
    public String toString() {
        return "a token";
    }

    /// For options.
    public static final class Converter implements ITypeConverter<PresentedToken> {

        @Override
        public PresentedToken convert(String file) {
            String token;
            try (InputStream in = Files.newInputStream(Path.of(file))) {
                token = new String(in.readNBytes(2 * MAX_BYTES), StandardCharsets.ISO_8859_1).strip();
            } catch (IOException e) {
                throw new TypeConversionException("cannot read '" + file + "': " + FileTrouble.reading(e));
            } catch (InvalidPathException e) {
                throw new TypeConversionException(
                        "cannot read '" + file + "': " + e.getReason() + FileTrouble.localeRemedy());
            }
            try {
                return of(token, "'" + file + "'");
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }
}
