package kvant.lab.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import kvant.lab.result.ProfileRecord.Frame;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameSharesTest {

    @TempDir
    private Path folder;

    private FrameShares shares(String... lines) throws IOException {
        return FrameShares.read(Files.write(folder.resolve("a.collapsed"), List.of(lines)));
    }

    @Test
    void aFrameHasTheShareOfTheStacksThatItIsIn() throws IOException {
        FrameShares shares = shares("a;b;c 6", "a;b 2", "a;d 2");

        assertThat(shares.total()).isEqualTo(10);
        assertThat(shares.inclusive("b")).isEqualTo(0.8);
        assertThat(shares.inclusive("nobody")).isZero();
        assertThat(shares.top(2)).containsExactly(new Frame("c", 0.6, 0.6), new Frame("b", 0.2, 0.8));
    }

    @Test
    void aRecursionCountsOnce() throws IOException {
        assertThat(shares("a;a;a 5").top(9)).containsExactly(new Frame("a", 1, 1));
    }

    @Test
    void compiledAndInterpretedAreTheSameMethod() throws IOException {
        FrameShares shares = shares("x/A.run_[0];x/B.b_[j] 1", "x/A.run_[j];x/B.b_[1] 1", "x/A.run_[i];x/B.b_[0] 2");

        assertThat(shares.frames()).containsExactlyInAnyOrder("x/A.run", "x/B.b");
        assertThat(shares.inclusive("x/B.b")).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"[burner tid=17],[burner]", "[a pool of 3 tid=4],[a pool of *]", "[tid=17],[tid=*]", "x/A.run,x/A.run"})
    void aThreadIsItsNameInEveryProcess(String frame, String name) throws IOException {
        assertThat(shares(frame + ";b 1").frames()).contains(name);
    }

    @ParameterizedTest
    @CsvSource({
        "/tmp/libnetty_epoll_x86_647574241533416447007.so (deleted),libnetty_epoll_x86_.so",
        "/tmp/a/b/librocksdbjni12345678901.so,librocksdbjni.so",
        "/usr/lib/libc.so.6,/usr/lib/libc.so.6",
        "a/B.c,a/B.c"
    })
    void aLibraryThatWasUnpackedHasTheSameNameInEveryProcess(String frame, String name) {
        assertThat(SampleConverter.withoutPath(frame)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a;b", "a;b x", "a;b 0", "a;b -3", "a;b 99999999999999999999", " 5"})
    void whatIsNoStackIsLeftOut(String line) throws IOException {
        assertThat(shares("a 1", line).total()).isEqualTo(1);
    }

    @Test
    void nothingIsNothing() throws IOException {
        assertThat(shares().top(5)).isEmpty();
    }
}
