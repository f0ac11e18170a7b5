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
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.cli.ChildNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The tables of docs/alerts.md name the metrics that nodes show, all of them and no others.
class MetricsDocumentTest {

    private static final Pattern SHOWN = Pattern.compile("^# TYPE (kvant_\\S+) ", Pattern.MULTILINE);
    private static final Pattern DOCUMENTED = Pattern.compile("`(kvant_[a-z_]+)");

    @TempDir
    private Path folder;

    private static Set<String> names(Pattern pattern, String text) {
        Set<String> names = new TreeSet<>();
        Matcher found = pattern.matcher(text);
        while (found.find()) {
            names.add(found.group(1));
        }
        return names;
    }

    private Set<String> shown(String engine, String executor) throws Exception {
        String other = folder.resolve(engine + "-mirror").toString();
        List<String> options =
                new ArrayList<>(List.of("--engine", engine, "--executor", executor, "--mirror-to", other));
        if (engine.equals("lsm")) {
            options.addAll(List.of("--archive", folder.resolve("archive").toString()));
        }
        try (ChildNode node = ChildNode.serve(folder.resolve(engine), options.toArray(String[]::new));
                HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(node.url() + "/metrics")).build();
            return names(
                    SHOWN,
                    client.send(request, HttpResponse.BodyHandlers.ofString()).body());
        }
    }

    @Test
    void theDocumentHasEveryMetricAndNoOther() throws Exception {
        Set<String> shown = shown("lsm", "adaptive");
        shown.addAll(shown("rocksdb", "virtual"));

        assertThat(shown).contains("kvant_requests_total", "kvant_lsm_runs", "kvant_rocksdb_snapshots");
        assertThat(names(DOCUMENTED, Files.readString(Path.of("..", "docs", "alerts.md"))))
                .isEqualTo(shown);
    }
}
