package kvant.lab.experiment;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import kvant.lab.experiment.Variant.Server;
import kvant.load.dialect.Dialect;
import kvant.load.plan.Clients;
import kvant.text.Units;
import kvant.text.YamlMap;

/// Reads the variants of an experiment, and generates all combinations of varied values.
final class VariantReader {

    /// Keys that are only valid for a variant with another server.
    private static final List<String> EXTERNAL_KEYS = ExperimentReader.words("""
            url ready environment entity-path scan-path folder start-timeout dialect needs version
            """);

    private static final List<String> KEYS = Stream.concat(
                    ExperimentReader.words("name title title-ru connections phases program serve jvm command").stream(),
                    EXTERNAL_KEYS.stream())
            .toList();

    private static final String CONNECTIONS = "connections";
    private static final Duration LONGEST_START = Duration.ofMinutes(10);

    private final YamlMap root;
    private final Path folder;
    private final Map<String, List<String>> axes = new LinkedHashMap<>();

    /// @param folder working folder of commands
    VariantReader(YamlMap root, Path folder) {
        this.root = root;
        this.folder = folder;
    }

    List<Variant> read() {
        root.map("vary", null)
                .ifPresent(vary -> vary.keys().forEach(key -> {
                    List<String> values = vary.texts(key);
                    if (values.isEmpty()) {
                        throw vary.wrong(key, "'" + key + "' has nothing to vary");
                    }
                    axes.put(key, values);
                }));
        List<Variant> variants = new ArrayList<>();
        boolean varied = false;
        for (YamlMap yaml : root.maps("variants", KEYS)) {
            if (yaml.has("command")) {
                variants.add(external(yaml));
            } else {
                variants.addAll(nodes(yaml));
                varied = true;
            }
        }
        if (variants.isEmpty()) {
            throw root.wrong("variants", "there are no variants");
        }
        if (!axes.isEmpty() && !varied) {
            throw root.wrong("vary", "only nodes of Kvant can be varied, and there is none");
        }
        if (variants.size() > Experiment.MOST_VARIANTS) {
            throw root.wrong("variants", variants.size() + " variants: at most " + Experiment.MOST_VARIANTS);
        }
        return variants;
    }

    private List<Variant> nodes(YamlMap yaml) {
        for (String key : EXTERNAL_KEYS) {
            if (yaml.has(key)) {
                throw yaml.wrong(key, "'" + key + "' needs a 'command'");
            }
        }
        yaml.map("serve", null).ifPresent(serve -> serve.keys().forEach(flag -> refuseTaken(serve, flag)));
        Map<String, String> flags = texts(yaml, "serve");
        for (String key : axes.keySet()) {
            if (flags.containsKey(key) || key.equals(CONNECTIONS) && yaml.has(CONNECTIONS)) {
                throw yaml.wrong("'" + key + "' is varied, and a variant sets it itself");
            }
        }
        List<Variant> variants = new ArrayList<>();
        for (Map<String, String> choice : product()) {
            variants.add(node(yaml, flags, choice));
        }
        return variants;
    }

    private void refuseTaken(YamlMap serve, String flag) {
        if (Server.Kvant.TAKEN.contains(flag)) {
            throw serve.wrong(flag, "'" + flag + "' is set by the laboratory");
        }
        if (!flag.matches("[a-z][a-z0-9.-]*")) {
            throw serve.wrong(flag, "'" + flag + "' is not an option of 'kvant serve' without its dashes");
        }
    }

    private Variant node(YamlMap yaml, Map<String, String> flags, Map<String, String> choice) {
        Map<String, String> all = new LinkedHashMap<>(flags);
        choice.forEach((key, value) -> {
            if (key.equals(CONNECTIONS)) {
                return;
            }
            if (Server.Kvant.TAKEN.contains(key)) {
                throw root.wrong("vary", "'" + key + "' is set by the laboratory");
            }
            all.put(key, value);
        });
        String name = named(yaml, choice);
        String title = filled(yaml, yaml.text("title", name), choice);
        int connections = choice.containsKey(CONNECTIONS)
                ? root.map("vary", null)
                        .map(vary -> connections(vary, choice.getOrDefault(CONNECTIONS, "")))
                        .orElse(0)
                : yaml.value(CONNECTIONS, VariantReader::connections).orElse(0);
        Server.Program program = yaml.value("program", Server.Program::parse).orElse(Server.Program.SERVE);
        String titleRu = filled(yaml, yaml.text("title-ru", ""), choice);
        Server.Kvant server = new Server.Kvant(program, all, yaml.texts("jvm"));
        return new Variant(name, title, titleRu, connections, yaml.texts("phases"), server);
    }

    private static int connections(YamlMap vary, String text) {
        try {
            return connections(text);
        } catch (IllegalArgumentException e) {
            throw vary.wrong(CONNECTIONS, "'connections': " + e.getMessage());
        }
    }

    private static int connections(String text) {
        long connections = Units.count(text);
        if (connections < 1 || connections > Clients.MOST_CONNECTIONS) {
            throw new IllegalArgumentException("'" + text + "' is not a number from 1 to " + Clients.MOST_CONNECTIONS);
        }
        return (int) connections;
    }

    /// All combinations of the varied values; one empty combination if there are none.
    private List<Map<String, String>> product() {
        List<Map<String, String>> product = List.of(Map.of());
        for (Map.Entry<String, List<String>> axis : axes.entrySet()) {
            List<Map<String, String>> longer = new ArrayList<>();
            for (Map<String, String> begun : product) {
                for (String value : axis.getValue()) {
                    Map<String, String> choice = new LinkedHashMap<>(begun);
                    choice.put(axis.getKey(), value);
                    longer.add(choice);
                }
            }
            if (longer.size() > Experiment.MOST_VARIANTS) {
                throw root.wrong("vary", "more than " + Experiment.MOST_VARIANTS + " variants");
            }
            product = longer;
        }
        return product;
    }

    /// An ambiguous name is extended by the values that differ.
    private static String named(YamlMap yaml, Map<String, String> choice) {
        String template = yaml.needed("name");
        String name = template.contains("${") || choice.isEmpty()
                ? filled(yaml, template, choice)
                : template + "-" + String.join("-", choice.values());
        return ExperimentReader.name(yaml, "name", name);
    }

    private static String filled(YamlMap yaml, String template, Map<String, String> choice) {
        String text = template;
        for (Map.Entry<String, String> one : choice.entrySet()) {
            text = text.replace("${" + one.getKey() + "}", one.getValue());
        }
        if (text.contains("${")) {
            throw yaml.wrong("name", "'" + template + "' has a ${...} that nothing varies");
        }
        return text;
    }

    private Variant external(YamlMap yaml) {
        for (String key : List.of("serve", "program")) {
            if (yaml.has(key)) {
                throw yaml.wrong(key, "either '" + key + "' or 'command', not both");
            }
        }
        List<String> command = yaml.texts("command");
        String url = yaml.text("url", "http://127.0.0.1:${port}");
        if (command.isEmpty() || command.getFirst().isBlank()) {
            throw yaml.wrong("command", "'command' is empty");
        }
        Map<String, String> environment = texts(yaml, "environment");
        boolean tellsPort = Stream.concat(command.stream(), environment.values().stream())
                .anyMatch(word -> word.contains("${port}"));
        if (url.contains("${port}") && !tellsPort) {
            throw yaml.wrong(
                    "command", "nothing tells the server its port: put ${port} into 'command', or a port into 'url'");
        }
        String name = ExperimentReader.name(yaml, "name", yaml.needed("name"));
        Server.External server = new Server.External(
                command,
                url,
                yaml.text("ready", url + "/"),
                environment,
                yaml.has("jvm"),
                yaml.texts("jvm"),
                yaml.text("entity-path", ""),
                yaml.text("scan-path", ""),
                folder.resolve(yaml.text("folder", "")).toString(),
                yaml.value("start-timeout", VariantReader::startTimeout).orElse(Duration.ofSeconds(60)),
                peer(yaml, url));
        int connections = yaml.value(CONNECTIONS, VariantReader::connections).orElse(0);
        List<String> phases = yaml.texts("phases");
        return new Variant(name, yaml.text("title", name), yaml.text("title-ru", ""), connections, phases, server);
    }

    private static Map<String, String> texts(YamlMap yaml, String key) {
        Map<String, String> texts = new LinkedHashMap<>();
        yaml.map(key, null).ifPresent(own -> own.keys().forEach(one -> texts.put(one, own.text(one, ""))));
        return texts;
    }

    private static Server.Peer peer(YamlMap yaml, String url) {
        yaml.map("needs", null)
                .ifPresent(own -> own.keys().forEach(program -> {
                    if (program.contains("/")) {
                        throw own.wrong(program, "'" + program + "' is not the name of a program");
                    }
                }));
        Dialect dialect = yaml.value("dialect", Dialect::parse).orElseGet(() -> Dialect.of(null, url));
        if (dialect.entityPath().isEmpty() && (yaml.has("entity-path") || yaml.has("scan-path"))) {
            throw yaml.wrong("dialect", "the dialect '" + dialect.key() + "' has paths of its own");
        }
        return new Server.Peer(dialect, texts(yaml, "needs"), yaml.texts("version"));
    }

    private static Duration startTimeout(String text) {
        Duration timeout = Units.duration(text);
        if (!timeout.isPositive() || timeout.compareTo(LONGEST_START) > 0) {
            throw new IllegalArgumentException("'" + text + "' is not a time above 0 and at most 10m");
        }
        return timeout;
    }
}
