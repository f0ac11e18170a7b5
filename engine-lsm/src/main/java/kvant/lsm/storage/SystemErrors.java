package kvant.lsm.storage;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// The meanings of operating-system errors. The JDK gives the number of an error as text only: the words of the C
/// library (`strerror`) in the language of the process. They differ between languages, and in English between
/// libraries. So the library is asked, once, for its words for the numbers that matter here. The English words of
/// glibc are known besides, in case the library cannot be asked.
final class SystemErrors {

    /// The errors that matter here.
    enum Meaning {
        /// ENOSPC
        DISK_FULL("No space left on device", 28),
        /// EDQUOT
        QUOTA_USED_UP("Disk quota exceeded", System.getProperty("os.name", "").equals("Linux") ? 122 : 69),
        /// EFBIG
        FILE_TOO_LARGE("File too large", 27),
        /// EMFILE
        TOO_MANY_FILES("Too many open files", 24),
        /// ENFILE
        TOO_MANY_FILES_IN_SYSTEM("Too many open files in system", 23);

        private final String english;
        private final int number;

        Meaning(String english, int number) {
            this.english = english;
            this.number = number;
        }
    }

    /// More than the length of any of these messages.
    private static final int MOST_BYTES = 1024;

    private static final @Nullable MethodHandle STRERROR =
            CLibrary.find("strerror", FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));

    static final SystemErrors OF_PROCESS = new SystemErrors(SystemErrors::words);

    private final Map<String, Meaning> meanings = new LinkedHashMap<>();

    /// @param words of the C library for a number, or null where it cannot be asked
    SystemErrors(IntFunction<@Nullable String> words) {
        for (Meaning meaning : Meaning.values()) {
            String said = words.apply(meaning.number);
            if (said != null && !said.isBlank()) {
                meanings.putIfAbsent(said, meaning);
            }
            meanings.putIfAbsent(meaning.english, meaning);
        }
    }

    /// @return null for all else
    @Nullable
    Meaning of(IOException e) {
        String said = e instanceof FileSystemException file ? file.getReason() : e.getMessage(); // without names
        return said == null ? null : meanings.get(said);
    }

    /// @return null where the library cannot be asked
    @SuppressWarnings("restricted") // a call of the operating system
    static @Nullable String words(int number) {
        if (STRERROR == null) {
            return null;
        }
        try {
            MemorySegment text = ((MemorySegment) STRERROR.invokeExact(number)).reinterpret(MOST_BYTES);
            int length = 0;
            while (length < MOST_BYTES && text.get(ValueLayout.JAVA_BYTE, length) != 0) {
                length++;
            }
            return new String(text.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE), encoding());
        } catch (Throwable e) {
            throw new IllegalStateException("strerror cannot be called", e); // it takes any number
        }
    }

    /// The character set of the library's messages, with which the JDK reads them.
    private static Charset encoding() {
        String named = System.getProperty("native.encoding");
        return named == null ? StandardCharsets.UTF_8 : Charset.forName(named, StandardCharsets.UTF_8);
    }
}
