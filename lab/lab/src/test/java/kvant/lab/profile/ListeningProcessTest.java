package kvant.lab.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import kvant.load.http.Target;
import kvant.text.UserException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Against a real socket, and against a `/proc` of the test's own.
class ListeningProcessTest {

    private static final String HEADINGS =
            "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt" + "   uid  timeout inode\n";

    @TempDir
    private Path proc;

    @BeforeEach
    void makeTables() throws IOException {
        Files.createDirectories(proc.resolve("net"));
        Files.writeString(proc.resolve("net/tcp"), HEADINGS);
    }

    private void line(String table, String local, String state, int inode) throws IOException {
        Path file = proc.resolve("net").resolve(table);
        String before = Files.exists(file) ? Files.readString(file) : HEADINGS;
        Files.writeString(
                file,
                before + "   0: " + local + " 00000000:0000 " + state + " 00000000:00000000 00:00000000 00000000     0"
                        + "        0 " + inode + " 1 0000000000000000 100 0 0 10 0\n");
    }

    private void descriptor(long pid, int number, String target) throws IOException {
        Path folder = Files.createDirectories(proc.resolve(Long.toString(pid)).resolve("fd"));
        Files.createSymbolicLink(folder.resolve(Integer.toString(number)), Path.of(target));
    }

    private long find(String host, int port) throws IOException {
        return new ListeningProcess(proc, new InetSocketAddress(InetAddress.getByName(host), port)).find();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aRealSocketIsFound() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Target target = Target.parse("http://127.0.0.1:" + socket.getLocalPort());

            assertThat(ListeningProcess.at(target))
                    .isEqualTo(ProcessHandle.current().pid());
        }
    }

    @Test
    void theSocketIsFoundByItsAddress() throws IOException {
        line("tcp", "0100007F:1F90", "0A", 11); // 127.0.0.1:8080
        line("tcp", "0200007F:1F90", "0A", 12); // 127.0.0.2:8080
        line("tcp", "0100007F:1F91", "0A", 13); // another port
        line("tcp", "0100007F:1F90", "01", 14); // a connection
        descriptor(5, 3, "socket:[14]");
        descriptor(6, 3, "socket:[13]");
        descriptor(7, 3, "socket:[12]");
        descriptor(8, 9, "socket:[11]");

        assertThat(find("127.0.0.1", 8080)).isEqualTo(8);
        assertThat(find("127.0.0.2", 8080)).isEqualTo(7);
    }

    @Test
    void aSocketOfEveryAddressIsFound() throws IOException {
        line("tcp6", "00000000000000000000000000000000:1F90", "0A", 11);
        line("tcp6", "0000000000000000FFFF00000100007F:1F91", "0A", 12);
        line("tcp6", "00000000000000000000000001000000:1F92", "0A", 13);
        descriptor(5, 3, "socket:[11]");
        descriptor(6, 3, "socket:[12]");
        descriptor(7, 3, "socket:[13]");

        assertThat(find("127.0.0.1", 8080)).isEqualTo(5);
        assertThat(find("127.0.0.1", 8081)).isEqualTo(6);
        assertThat(find("::1", 8082)).isEqualTo(7);
    }

    @Test
    void whoCannotBeFoundIsOneLine() throws IOException {
        assertThatThrownBy(() -> find("127.0.0.1", 8080))
                .isInstanceOf(UserException.class)
                .hasMessage("no process listens on 127.0.0.1:8080");
        line("tcp", "0100007F:1F90", "0A", 11);
        assertThatThrownBy(() -> find("127.0.0.1", 8080))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("belongs to another user");
        descriptor(5, 3, "socket:[11]");
        descriptor(6, 3, "socket:[11]");
        assertThatThrownBy(() -> find("127.0.0.1", 8080))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("several processes listen on 127.0.0.1:8080: choose one by '--pid' of [5, 6]");
    }

    @Test
    void anotherMachineIsRefused() {
        assertThatThrownBy(() -> ListeningProcess.at(Target.parse("http://192.0.2.1:8080")))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("is not an address of this machine");
    }

    @Test
    void aSystemWithoutTablesSaysSo() throws IOException {
        Files.delete(proc.resolve("net/tcp"));

        assertThatThrownBy(() -> find("127.0.0.1", 8080))
                .isInstanceOf(UserException.class)
                .hasMessageEndingWith("on this system: use '--pid'");
    }
}
