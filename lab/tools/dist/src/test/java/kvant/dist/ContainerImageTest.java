package kvant.dist;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An image around a small program, read back as an engine of containers does.
class ContainerImageTest {

    @TempDir
    Path folder;

    private final Map<String, byte[]> files = new HashMap<>();

    @BeforeEach
    void make() throws IOException {
        FileTree libraries = new FileTree().text("lib64/libc.so.6", "libc", FileTree.PROGRAM);
        Path image =
                new ContainerImage(SmallPackages.options(folder), folder).write(libraries, SmallPackages.program());
        for (Unpacked.Entry entry : Unpacked.tar(Files.newInputStream(image))) {
            files.put(entry.header().getName(), entry.content());
        }
    }

    @Test
    void everyBlobIsWhatItsNameAndItsDescriptorsSay() throws IOException {
        JsonObject manifest = blob(index().getAsJsonArray("manifests").get(0).getAsJsonObject());
        JsonObject config = blob(manifest.getAsJsonObject("config"));
        JsonArray layers = manifest.getAsJsonArray("layers");
        JsonArray plain = config.getAsJsonObject("rootfs").getAsJsonArray("diff_ids");

        assertThat(layers).hasSize(2);
        for (int i = 0; i < layers.size(); i++) {
            byte[] bytes = bytes(layers.get(i).getAsJsonObject());
            assertThat("sha256:" + Digest.sha256(new GZIPInputStream(new ByteArrayInputStream(bytes))))
                    .isEqualTo(plain.get(i).getAsString());
        }
        assertThat(files.get("oci-layout")).asString().isEqualTo("{\"imageLayoutVersion\":\"1.0.0\"}");
    }

    @Test
    void dockerFindsTheSameConfigurationAndLayers() throws IOException {
        JsonObject docker = JsonParser.parseString(text("manifest.json"))
                .getAsJsonArray()
                .get(0)
                .getAsJsonObject();
        JsonObject manifest = blob(index().getAsJsonArray("manifests").get(0).getAsJsonObject());

        assertThat(docker.get("Config").getAsString())
                .isEqualTo("blobs/sha256/" + digest(manifest.getAsJsonObject("config")));
        assertThat(docker.getAsJsonArray("Layers").asList().stream().map(layer -> layer.getAsString()))
                .containsExactlyElementsOf(manifest.getAsJsonArray("layers").asList().stream()
                        .map(layer -> "blobs/sha256/" + digest(layer.getAsJsonObject()))
                        .toList());
        assertThat(docker.get("RepoTags").toString()).isEqualTo("[\"kvant:1.2.3-SNAPSHOT\"]");
    }

    @Test
    void runsAsNobodyInParticularAndAsksForItsHealth() throws IOException {
        JsonObject manifest = blob(index().getAsJsonArray("manifests").get(0).getAsJsonObject());
        JsonObject config = blob(manifest.getAsJsonObject("config")).getAsJsonObject("config");

        assertThat(config.get("User").getAsString()).isEqualTo("65532:65532");
        assertThat(config.getAsJsonObject("Healthcheck").get("Test").toString()).endsWith("\"health\"]");
        assertThat(config.get("Cmd").toString()).isEqualTo("[\"serve\"]");
        assertThat(config.get("StopSignal").getAsString()).isEqualTo("SIGTERM");
    }

    /// No launcher sets the locale there.
    @Test
    void namesOfFilesAreUtf8() throws IOException {
        JsonObject manifest = blob(index().getAsJsonArray("manifests").get(0).getAsJsonObject());
        JsonObject config = blob(manifest.getAsJsonObject("config")).getAsJsonObject("config");

        assertThat(config.get("Env").toString()).contains("\"LC_ALL=C.UTF-8\"");
    }

    @Test
    void theFirstLayerIsTheSystemAndTheSecondTheProgram() throws IOException {
        JsonArray layers = blob(index().getAsJsonArray("manifests").get(0).getAsJsonObject())
                .getAsJsonArray("layers");

        assertThat(Unpacked.tarGz(new ByteArrayInputStream(bytes(layers.get(0).getAsJsonObject()))))
                .anyMatch(entry -> entry.header().getName().equals("lib64/libc.so.6"))
                .anyMatch(entry -> entry.header().getName().equals("tmp/")
                        && (entry.header().getMode() & 07777) == 01777);
        assertThat(Unpacked.tarGz(new ByteArrayInputStream(bytes(layers.get(1).getAsJsonObject()))))
                .anyMatch(entry -> entry.header().getName().equals("opt/kvant/bin/kvant"));
    }

    private JsonObject index() {
        return JsonParser.parseString(text("index.json")).getAsJsonObject();
    }

    private JsonObject blob(JsonObject descriptor) throws IOException {
        return JsonParser.parseString(new String(bytes(descriptor), StandardCharsets.UTF_8))
                .getAsJsonObject();
    }

    /// After a look at its size and its digest.
    private byte[] bytes(JsonObject descriptor) throws IOException {
        byte[] bytes = requireNonNull(files.get("blobs/sha256/" + digest(descriptor)));
        assertThat(bytes.length).isEqualTo(descriptor.get("size").getAsInt());
        assertThat(Digest.sha256(new ByteArrayInputStream(bytes))).isEqualTo(digest(descriptor));
        return bytes;
    }

    private static String digest(JsonObject descriptor) {
        return descriptor.get("digest").getAsString().replace("sha256:", "");
    }

    private String text(String name) {
        return new String(requireNonNull(files.get(name)), StandardCharsets.UTF_8);
    }
}
