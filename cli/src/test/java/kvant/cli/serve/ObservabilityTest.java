package kvant.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import kvant.cli.ChildNode;
import kvant.text.JsonFile;
import kvant.text.YamlMap;
import kvant.text.tool.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The dashboard and the alert rules ask for figures that nodes have, and each alert has its runbook in the documents.
@Timeout(180)
class ObservabilityTest {

    private static final Path FOLDER = Path.of("..", "docs", "observability");
    private static final Path DOCUMENT = Path.of("..", "docs", "alerts.md");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*?) *$");
    private static final Pattern RUNBOOK = Pattern.compile("(?ms)^### (Kvant\\w+)$(.*?)(?=^##)");
    private static final Pattern NAME = Pattern.compile("\\b((?:kvant|jvm|process)_[a-z_]+)(?:\\{([^}]*)})?");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)\\s*[!=]~?\\s*\"");

    /// Labels that the scraper adds.
    private static final Set<String> OF_THE_SCRAPER = Set.of("instance", "job", "le");

    @TempDir
    private Path folder;

    /// The names of samples, and the labels of each.
    private Map<String, Set<String>> shown() throws Exception {
        Map<String, Set<String>> labels = new HashMap<>();
        try (ChildNode node = ChildNode.serve(
                        folder.resolve("data"),
                        "--archive",
                        folder.resolve("archive").toString(),
                        "--mirror-to",
                        folder.resolve("mirror").toString());
                HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(node.url() + "/metrics")).build();
            String page =
                    client.send(request, HttpResponse.BodyHandlers.ofString()).body();
            page.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
                String name = line.replaceFirst("[ {].*", "");
                Set<String> own = labels.computeIfAbsent(name, _ -> new TreeSet<>());
                Pattern.compile("([a-z_]+)=\"").matcher(line).results().forEach(found -> own.add(found.group(1)));
            });
        }
        return labels;
    }

    private static List<YamlMap> rules() {
        YamlMap file = YamlMap.read(FOLDER.resolve("alerts.yaml"), List.of("groups"));
        List<String> known = List.of("alert", "expr", "for", "labels", "annotations");
        return file.maps("groups", List.of("name", "rules")).stream()
                .flatMap(group -> group.maps("rules", known).stream())
                .toList();
    }

    private static List<String> panels() throws IOException {
        String text = Files.readString(FOLDER.resolve("dashboard.json"));
        JsonFile.object(text, "dashboard.json", "a dashboard");
        return Pattern.compile("\"expr\": \"((?:[^\"\\\\]|\\\\.)*)\"")
                .matcher(text)
                .results()
                .map(found -> found.group(1).replace("\\\"", "\""))
                .toList();
    }

    @Test
    void theyAskForWhatNodesShow() throws Exception {
        Map<String, Set<String>> shown = shown();
        List<String> expressions = new ArrayList<>(panels());
        rules().forEach(rule -> expressions.add(rule.needed("expr")));
        assertThat(expressions).hasSizeGreaterThan(40);

        for (String expression : expressions) {
            List<MatchResult> names = NAME.matcher(expression).results().toList();
            for (MatchResult found : names) {
                String name = found.group(1);
                assertThat(shown).as(expression).containsKey(name);
                Set<String> labels = LABEL.matcher(found.group(2) == null ? "" : found.group(2))
                        .results()
                        .map(label -> label.group(1))
                        .filter(label -> !OF_THE_SCRAPER.contains(label))
                        .collect(Collectors.toSet());
                assertThat(shown.get(name)).as(expression).containsAll(labels);
            }
            assertThat(names.isEmpty() && !expression.startsWith("up{"))
                    .as(expression)
                    .isFalse();
        }
    }

    @Test
    void whatOperatorsDecideAndWhoFollowsHasPanels() throws IOException {
        String all = String.join("\n", panels());
        assertThat(all)
                .contains("kvant_read_only", "kvant_backup_last_success_timestamp_seconds")
                .contains("kvant_changes_followers", "kvant_changes_lag", "kvant_changes_gone_total")
                .contains("kvant_lsm_retained_log_bytes", "kvant_resp_connections", "kvant_resp_commands_total");
    }

    /// A store that never had a backup has 0 there, which is no age. A time that is yet to come is none either, and
    /// would keep the alarm silent until then.
    @Test
    void aStoreWithoutABackupRaisesNoAlarmAndOneWithABackupOfTheFutureDoes() {
        assertThat(ruleOfBackups().needed("expr"))
                .startsWith("kvant_backup_last_success_timestamp_seconds > 0 and (time() - ")
                .endsWith(" or kvant_backup_last_success_timestamp_seconds - time() > 3600)");
    }

    private static YamlMap ruleOfBackups() {
        return rules().stream()
                .filter(one -> one.needed("alert").equals("KvantBackupOld"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void eachAlertHasARunbookOfItsOwn() throws IOException {
        String document = Files.readString(DOCUMENT);
        List<String> headings = HEADING.matcher(document)
                .results()
                .map(found -> found.group(1).toLowerCase(Locale.ROOT))
                .toList();
        Set<String> alerts = new HashSet<>();
        for (YamlMap rule : rules()) {
            String alert = rule.needed("alert");
            assertThat(alerts.add(alert)).as(alert).isTrue();
            YamlMap annotations = rule.map("annotations", List.of("summary", "runbook_url"))
                    .orElseThrow(() -> rule.wrong("no annotations"));
            assertThat(annotations.needed("summary")).contains("$labels.instance");
            String anchor = alert.toLowerCase(Locale.ROOT);
            assertThat(annotations.needed("runbook_url")).isEqualTo("docs/alerts.md#" + anchor);
            assertThat(headings.stream().filter(anchor::equals)).as(alert).hasSize(1);
        }
        assertThat(runbooks(document).keySet()).isEqualTo(alerts).hasSizeGreaterThan(10);
    }

    @Test
    void aRunbookSaysWhatItMeansWhatToLookAtAndWhatToDo() throws IOException {
        runbooks(Files.readString(DOCUMENT))
                .forEach((alert, text) -> assertThat(text)
                        .as(alert)
                        .matches("(?s)\\s*- \\*\\*Means:\\*\\* .{40,}\n- \\*\\*Look at:\\*\\* .{40,}"
                                + "\n- \\*\\*Do:\\*\\* .{40,}"));
    }

    /// Sections of alerts by their headings.
    private static Map<String, String> runbooks(String document) {
        return RUNBOOK.matcher(document)
                .results()
                .collect(Collectors.toMap(found -> found.group(1), found -> found.group(2)));
    }

    @Test
    void anAddressIsPutInFrontOfRunbooksAsTheDocumentSays() throws Exception {
        Matcher command = Pattern.compile("(?m)^ {4}sed '(.*)' docs/observability/alerts.yaml > ")
                .matcher(Files.readString(DOCUMENT));
        assertThat(command.find()).isTrue();
        Path rules = folder.resolve("rules.yaml");
        Process sed = new ProcessBuilder(
                        "sed", command.group(1), FOLDER.resolve("alerts.yaml").toString())
                .redirectOutput(rules.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();

        assertThat(sed.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(rules).lines().filter(line -> line.contains("runbook_url:")))
                .hasSameSizeAs(rules())
                .allMatch(line -> line.matches(" +runbook_url: https://\\S+/docs/alerts\\.md#kvant[a-z]+"));
    }

    @Test
    void prometheusTakesTheRules() throws Exception {
        promtool("check", FOLDER.resolve("alerts.yaml"));
    }

    /// After three days: one of the first second, one of a day ago, none, and two of later, of which one is what the
    /// clocks of two machines may differ by.
    @Test
    void prometheusJudgesTheAgeOfABackup() throws Exception {
        YamlMap annotations = ruleOfBackups()
                .map("annotations", List.of("summary", "runbook_url"))
                .orElseThrow();
        StringBuilder test = new StringBuilder("rule_files: ['"
                + FOLDER.resolve("alerts.yaml").toAbsolutePath().normalize()
                + "']\nevaluation_interval: 1h\ntests:\n- interval: 1h\n  input_series:\n");
        Map<String, Integer> backups = Map.of("old", 1, "new", 172_801, "none", 0, "soon", 259_500, "later", 270_000);
        backups.forEach((instance, seconds) -> test.append("  - series: 'kvant_backup_last_success_timestamp_seconds")
                .append("{instance=\"" + instance + "\"}'\n    values: '" + seconds + "+0x72'\n"));
        test.append("  alert_rule_test:\n  - eval_time: 72h\n    alertname: KvantBackupOld\n    exp_alerts:\n");
        for (String instance : List.of("old", "later")) {
            String summary = annotations.needed("summary").replace("{{ $labels.instance }}", instance);
            test.append("    - exp_labels: {severity: warning, instance: " + instance + "}\n")
                    .append("      exp_annotations: {summary: '" + summary + "', runbook_url: '")
                    .append(annotations.needed("runbook_url") + "'}\n");
        }
        promtool("test", Files.writeString(folder.resolve("test.yaml"), test));
    }

    /// Has a file of rules, or of tests for rules, judged.
    private void promtool(String command, Path file) throws Exception {
        Path said = folder.resolve("promtool.txt");
        Process process = new ProcessBuilder(Tool.PROMTOOL.need().toString(), command, "rules", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(said)).isZero();
    }
}
