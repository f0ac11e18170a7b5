package kvant.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Finding a Java 17, or asking for one.
class ServerJavaTest {

    @TempDir
    private Path folder;

    @Test
    void findsOneAmongOthers() throws IOException {
        java("a-java-8", "1.8.0_17");
        java("b-java-25", "25.0.1");
        Path wanted = java("c-java-17", "17.0.9");
        java("d-java-170", "170");
        assertThat(ServerJava.find(Map.of(), List.of(folder.resolve("missing"), folder)))
                .isEqualTo(wanted);
    }

    @Test
    void takesTheOneThatIsNamed() throws IOException {
        java("first", "17.0.1");
        Path named = java("other/named", "17");
        assertThat(ServerJava.find(Map.of("KVANT_JAVA17", named.toString()), List.of(folder)))
                .isEqualTo(named);
    }

    @Test
    void refusesANamedOneOfAnotherVersion() throws IOException {
        Path named = java("named", "21.0.1");
        java("good", "17.0.1");
        assertThatThrownBy(() -> ServerJava.find(Map.of("KVANT_JAVA17", named.toString()), List.of(folder)))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining(named.toString());
    }

    @Test
    void asksForOneInOneLine() {
        assertThatThrownBy(() -> ServerJava.find(Map.of(), List.of(folder)))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("KVANT_JAVA17")
                .message()
                .doesNotContain("\n");
    }

    private Path java(String name, String version) throws IOException {
        Path home = folder.resolve(name);
        Files.createDirectories(home.resolve("bin"));
        Path java = Files.createFile(home.resolve("bin/java"));
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        return home;
    }
}
