package kvant.text;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/// Descriptions of file errors, in words and without the file's name: messages of the JDK often consist of only the
/// name.
public final class FileTrouble {

    private FileTrouble() {}

    /// Why a file could not be read.
    public static String reading(IOException failure) {
        return failure instanceof NoSuchFileException ? "there is no such file" : either(failure);
    }

    /// Why a file could not be written or created.
    public static String writing(IOException failure) {
        return failure instanceof NoSuchFileException ? "its directory does not exist" : either(failure);
    }

    /// The remedy for a name that cannot be a path here, to be appended to a message; empty where the locale has
    /// UTF-8. Launchers set that. Plain `java` uses the locale of its environment, and no property changes it.
    public static String localeRemedy() {
        return localeRemedy(System.getProperty("sun.jnu.encoding", "UTF-8"));
    }

    /// The same of a locale with this character set.
    public static String localeRemedy(String encoding) {
        return encoding.equals("UTF-8")
                ? ""
                : "; the locale of this JVM has the character set " + encoding + ": start it with LC_ALL=C.UTF-8";
    }

    private static String either(IOException failure) {
        return switch (failure) {
            case AccessDeniedException _ -> "no permission";
            case FileSystemException known when known.getReason() != null -> known.getReason();
            default -> failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        };
    }
}
