package kvant.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

/// The JDK says no more than the name of a file that is not there or may not be touched.
class FileTroubleTest {

    @Test
    void whatIsNotThereIsAFileOrItsDirectory() {
        assertThat(FileTrouble.reading(new NoSuchFileException("a/b"))).isEqualTo("there is no such file");
        assertThat(FileTrouble.writing(new NoSuchFileException("a/b"))).isEqualTo("its directory does not exist");
    }

    @Test
    void whatMayNotBeTouchedIsSaidInWords() {
        assertThat(FileTrouble.reading(new AccessDeniedException("a/b"))).isEqualTo("no permission");
        assertThat(FileTrouble.writing(new AccessDeniedException("a/b"))).isEqualTo("no permission");
    }

    @Test
    void whateverElseItIsIsSaidAsTheSystemSaysIt() {
        assertThat(FileTrouble.reading(new FileSystemException("a/b", null, "Not a directory")))
                .isEqualTo("Not a directory");
        assertThat(FileTrouble.writing(new IOException("No space left on device")))
                .isEqualTo("No space left on device");
    }
}
