package kvant.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvant.cli.ChildNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A node does not depend on the language, the character set and the time zone that it was started in.
class LocaleTest {

    private static final String NAME = "käse-данные";
    private static final List<String> TURKISH = List.of("-Xmx256m", "-Duser.language=tr", "-Duser.country=TR");
    private static final List<String> POSIX = List.of("env", "LC_ALL=POSIX");

    @TempDir
    Path folder;

    /// In Turkish, the small letter of `I` has no dot, and the capital one of `i` has.
    @Test
    void servesADirectoryWithAnyLettersInTurkishAndFarFromGreenwich() throws Exception {
        List<String> far = List.of("env", "LC_ALL=C.UTF-8", "TZ=Pacific/Apia");
        Path data = folder.resolve(NAME);
        try (ChildNode node = ChildNode.run(
                        far,
                        TURKISH,
                        ChildNode.serveArguments(data, "--executor", "VIRTUAL", "--durability", "interval=100"));
                HttpClient client = HttpClient.newHttpClient()) {
            node.awaitReady();
            HttpRequest.Builder entity = HttpRequest.newBuilder(URI.create(node.url() + "/v0/entity?id=I"));

            client.send(
                    entity.PUT(HttpRequest.BodyPublishers.ofString("one")).build(),
                    HttpResponse.BodyHandlers.discarding());

            assertThat(client.send(entity.GET().build(), HttpResponse.BodyHandlers.ofString())
                            .body())
                    .isEqualTo("one");
            assertThat(node.stop()).isZero();
            assertThat(node.stderr()).isEmpty();
        }
        assertThat(data).isDirectory();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aLocaleWithoutTheLettersOfANameIsNamed() throws Exception {
        refused(2, ChildNode.serveArguments(folder.resolve(NAME)), "is not UTF-8");

        Path settings = Files.writeString(folder.resolve("kvant.yaml"), "data: " + folder.resolve(NAME) + "\n");
        refused(2, List.of("serve", "--port", "0", "--config", settings.toString()), "is not a path");
    }

    /// The name is in the file `LOGS` of the store.
    @Test
    @EnabledOnOs(OS.LINUX)
    void logsInADirectoryThatTheLocaleCannotNameAreNotTakenForDamaged() throws Exception {
        Path data = folder.resolve("data");
        try (ChildNode node =
                ChildNode.serve(data, "--lsm.log-dir", folder.resolve(NAME).toString())) {
            assertThat(node.stop()).isZero();
        }

        refused(1, ChildNode.serveArguments(data), "that this JVM cannot name");
    }

    private static void refused(int code, List<String> arguments, String reason) throws Exception {
        try (ChildNode node = ChildNode.run(POSIX, List.of("-Xmx256m"), new ArrayList<>(arguments))) {
            assertThat(node.awaitExit()).isEqualTo(code);
            assertThat(node.stderr())
                    .singleElement()
                    .asString()
                    .startsWith("kvant: ")
                    .contains(reason, "start it with LC_ALL=C.UTF-8");
        }
    }
}
