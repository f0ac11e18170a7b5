package kvant.dist;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import kvant.cli.Main;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// The chart as Helm itself sees it, which comes as a library.
class HelmChartTest {

    private static final Map<String, Object> TOKENS = Map.of("tokens.secret", "of-mine");
    private static final Map<String, Object> CLUSTER = Map.of(
            "tokens.secret", "of-mine",
            "engine", "cassandra",
            "cassandra.contactPoints", "db-0.db:9042",
            "cassandra.username", "kvant",
            "cassandra.passwordSecret", "db",
            "replicas", 3);

    @TempDir
    Path folder;

    private Path chart = Path.of("");

    @BeforeEach
    void unpack() throws IOException {
        Unpacked.plainFiles(Packages.chart(SmallPackages.options(folder)), folder);
        chart = folder.resolve("kvant");
    }

    @Test
    void passesTheLinter() {
        LintResult result = new Helm(chart).lint().call();

        assertThat(result.isFailed())
                .as(String.join("\n", result.getMessages()))
                .isFalse();
    }

    @Test
    void theLinterSeesWhatIsWrong() throws IOException {
        Path service = chart.resolve("templates/service.yaml");
        Files.writeString(service, Files.readString(service).replace("{{- end }}", "{{- ende }}"));

        assertThatThrownBy(() -> {
                    if (new Helm(chart).lint().call().isFailed()) {
                        throw new IllegalStateException("failed");
                    }
                })
                .isNotNull();
    }

    @Test
    void embeddedEnginesHaveAVolumeForEachNode() throws IOException {
        Map<String, JsonObject> objects = rendered(TOKENS);
        JsonObject set = requireNonNull(objects.get("StatefulSet kvant"));

        assertThat(objects.keySet())
                .containsExactlyInAnyOrder(
                        "ConfigMap kvant", "Service kvant", "Service kvant-nodes", "StatefulSet kvant");
        assertThatCode(() -> V1StatefulSet.validateJsonElement(set)).doesNotThrowAnyException();
        assertThatCode(() -> V1ConfigMap.validateJsonElement(requireNonNull(objects.get("ConfigMap kvant"))))
                .doesNotThrowAnyException();
        assertThatCode(() -> V1Service.validateJsonElement(requireNonNull(objects.get("Service kvant-nodes"))))
                .doesNotThrowAnyException();
        assertThat(set.getAsJsonObject("spec").getAsJsonArray("volumeClaimTemplates"))
                .hasSize(1);
        assertThat(mounts(set)).contains("/var/lib/kvant", "/run/secrets/tokens", "/tmp");
    }

    @Test
    void theClusterEngineIsADeploymentWithoutAVolume() throws IOException {
        Map<String, JsonObject> objects = rendered(CLUSTER);
        JsonObject deployment = requireNonNull(objects.get("Deployment kvant"));

        assertThat(objects.keySet()).containsExactlyInAnyOrder("ConfigMap kvant", "Service kvant", "Deployment kvant");
        assertThatCode(() -> V1Deployment.validateJsonElement(deployment)).doesNotThrowAnyException();
        assertThat(mounts(deployment)).doesNotContain("/var/lib/kvant").contains("/run/secrets/cassandra");
    }

    @Test
    void aPodIsConfinedAndProbed() throws IOException {
        JsonObject pod = pod(requireNonNull(rendered(TOKENS).get("StatefulSet kvant")));
        JsonObject container = pod.getAsJsonArray("containers").get(0).getAsJsonObject();
        JsonObject confined = container.getAsJsonObject("securityContext");

        assertThat(pod.getAsJsonObject("securityContext").get("runAsNonRoot").getAsBoolean())
                .isTrue();
        assertThat(confined.get("readOnlyRootFilesystem").getAsBoolean()).isTrue();
        assertThat(confined.get("allowPrivilegeEscalation").getAsBoolean()).isFalse();
        assertThat(confined.toString()).contains("\"drop\":[\"ALL\"]");
        assertThat(container.get("readinessProbe").toString()).contains("/readyz", "\"HTTP\"");
        assertThat(container.get("livenessProbe").toString()).contains("/livez");
        assertThat(container.get("startupProbe").toString()).contains("/livez");
        assertThat(pod.get("enableServiceLinks").getAsBoolean()).isFalse();
    }

    @Test
    void aNodeTakesTheSettings() throws IOException {
        for (Map<String, Object> values : List.of(TOKENS, CLUSTER, Map.<String, Object>of("everybodyMay", true))) {
            JsonObject map = requireNonNull(rendered(values).get("ConfigMap kvant"));
            Path file = folder.resolve("kvant.yaml");
            String settings = map.getAsJsonObject("data").get("kvant.yaml").getAsString();
            Path tokens = folder.resolve("tokens");
            token(tokens);
            Files.writeString(
                    file,
                    settings.replace("/run/secrets/tokens/tokens", tokens.toString())
                            .replace("/run/secrets/cassandra/password", tokens.toString()));
            StringWriter said = new StringWriter();

            int code = Main.execute(
                    new PrintWriter(said, true), new PrintWriter(said, true), "config", "check", file.toString());

            assertThat(code).as(said + settings).isZero();
        }
    }

    @Test
    void whatIsLeftOpenIsRefused() {
        assertThatThrownBy(() -> rendered(Map.of())).hasMessageContaining("name a secret with tokens");
        assertThatThrownBy(() -> rendered(Map.of("tokens.secret", "mine", "engine", "paper")))
                .hasMessageContaining("engine is 'paper'");
        assertThatThrownBy(() -> rendered(Map.of("tokens.secret", "mine", "engine", "cassandra")))
                .hasMessageContaining("cassandra.contactPoints is needed");
    }

    @Test
    void optionsOfTheJvmKeepTheRestOfTheEntryPoint() throws IOException {
        JsonObject pod = pod(requireNonNull(rendered(Map.of("everybodyMay", true, "javaOptions", "-Xmx1g -Xss1m"))
                .get("StatefulSet kvant")));
        JsonObject container = pod.getAsJsonArray("containers").get(0).getAsJsonObject();
        List<String> expected = new ArrayList<>(ContainerImage.JAVA);
        expected.addAll(2, List.of("-Xmx1g", "-Xss1m"));

        assertThat(container.getAsJsonArray("command").asList().stream().map(JsonElement::getAsString))
                .containsExactlyElementsOf(expected);
    }

    private static void token(Path file) throws IOException {
        StringWriter said = new StringWriter();
        Files.deleteIfExists(file);
        PrintWriter out = new PrintWriter(said, true);
        assertThat(Main.execute(out, out, "token", "new", "app", "--scope", "read", "--tokens", file.toString()))
                .as(said.toString())
                .isZero();
    }

    private Map<String, JsonObject> rendered(Map<String, Object> values) throws IOException {
        TemplateCommand template = new Helm(chart).template().withName("kvant");
        values.forEach(template::set);
        Map<String, JsonObject> objects = new LinkedHashMap<>();
        Gson gson = new Gson();
        for (Object document : new Load(LoadSettings.builder().build()).loadAllFromString(template.call())) {
            if (document != null) {
                JsonObject object = gson.toJsonTree(document).getAsJsonObject();
                String name = object.getAsJsonObject("metadata").get("name").getAsString();
                objects.put(object.get("kind").getAsString() + " " + name, object);
            }
        }
        return objects;
    }

    private static JsonObject pod(JsonObject owner) {
        return owner.getAsJsonObject("spec").getAsJsonObject("template").getAsJsonObject("spec");
    }

    private static List<String> mounts(JsonObject owner) {
        return pod(owner)
                .getAsJsonArray("containers")
                .get(0)
                .getAsJsonObject()
                .getAsJsonArray("volumeMounts")
                .asList()
                .stream()
                .map(mount -> mount.getAsJsonObject().get("mountPath").getAsString())
                .toList();
    }
}
