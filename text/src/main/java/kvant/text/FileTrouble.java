package kvant.text;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/// What went wrong with a file, in words and without its name: messages of the JDK are often no more than it.
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

    private static String either(IOException failure) {
        return switch (failure) {
            case AccessDeniedException _ -> "no permission";
            case FileSystemException known when known.getReason() != null -> known.getReason();
            default -> String.valueOf(failure.getMessage());
        };
    }
}
