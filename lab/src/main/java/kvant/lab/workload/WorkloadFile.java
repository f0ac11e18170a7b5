package kvant.lab.workload;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import kvant.lab.Amounts;
import kvant.lab.LabException;
import kvant.lab.keys.KeyPlan;
import kvant.lab.keys.KeyText;
import kvant.lab.keys.ValueSizes;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/// A workload in a file, as docs/load.md describes: a small YAML mapping. What is not known is an error with its line,
/// because a misspelt key that is passed over gives a figure of something else.
public final class WorkloadFile {

    private static final List<String> KEYS = List.of(
            "name",
            "mix",
            "keys",
            "key-distribution",
            "key-prefix",
            "key-digits",
            "values",
            "hits",
            "scan-length",
            "entity-path",
            "scan-path");

    private static final List<String> OPERATIONS = List.of("get", "update", "insert", "delete", "scan", "rmw");

    private final Path file;

    private WorkloadFile(Path file) {
        this.file = file;
    }

    /// @throws LabException naming file and line
    public static Workload read(Path file) {
        return new WorkloadFile(file).read();
    }

    private Workload read() {
        Map<String, Node> members = members(root(), KEYS);
        Workload workload = Workload.named("get")
                .withName(text(members, "name", Function.identity())
                        .orElse(String.valueOf(file.getFileName()).replaceAll("\\.[^.]*$", "")));
        int digits = text(members, "key-digits", Integer::parseInt).orElse(KeyText.DEFAULT.digits());
        String prefix = text(members, "key-prefix", Function.identity()).orElse(KeyText.DEFAULT.prefix());
        try {
            workload = workload.withKeyText(new KeyText(prefix, digits))
                    .withKeys(text(members, "keys", Amounts::count).orElse(workload.keys()))
                    .withKeyPlan(
                            text(members, "key-distribution", KeyPlan::parse).orElse(workload.keyPlan()))
                    .withValues(text(members, "values", ValueSizes::parse).orElse(workload.values()))
                    .withHits(text(members, "hits", Double::parseDouble).orElse(workload.hits()))
                    .withMostScanned(
                            text(members, "scan-length", Integer::parseInt).orElse(workload.mostScanned()));
            Node mix = members.get("mix");
            workload = mix == null ? workload : workload.withMix(mix(mix));
            return workload.withPaths(
                    text(members, "entity-path", Function.identity()).orElse(workload.entityPath()),
                    text(members, "scan-path", Function.identity()).orElse(workload.scanPath()));
        } catch (IllegalArgumentException e) {
            throw new LabException(file + ": " + e.getMessage(), e);
        }
    }

    private Node root() {
        try (Reader reader = Files.newBufferedReader(file)) {
            LoadSettings settings =
                    LoadSettings.builder().setLabel(file.toString()).build();
            return new Compose(settings)
                    .composeReader(reader)
                    .orElseThrow(() -> new LabException(file + ": the file is empty"));
        } catch (MarkedYamlEngineException e) {
            throw wrong(e.getProblemMark(), e.getProblem());
        } catch (StackOverflowError e) { // the parser calls itself for each level
            throw new LabException(file + ": nested too deeply", e);
        } catch (YamlEngineException e) {
            boolean coded = e.getCause() instanceof CharacterCodingException;
            throw new LabException(file + ": " + (coded ? "it is not text in UTF-8" : e.getMessage()), e);
        } catch (IOException e) {
            throw new LabException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private Map<String, Node> members(Node node, List<String> known) {
        if (!(node instanceof MappingNode mapping)) {
            throw wrong(node.getStartMark(), "here must be 'name: value' lines");
        }
        Map<String, Node> members = new HashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            String key = scalar(tuple.getKeyNode());
            if (!known.contains(key)) {
                throw wrong(
                        tuple.getKeyNode().getStartMark(),
                        "unknown key '" + key + "'; there are " + String.join(", ", known));
            }
            if (members.put(key, tuple.getValueNode()) != null) {
                throw wrong(tuple.getKeyNode().getStartMark(), "'" + key + "' for the second time");
            }
        }
        return members;
    }

    private String scalar(Node node) {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw wrong(node.getStartMark(), "here must be one value");
    }

    private <T> Optional<T> text(Map<String, Node> members, String key, Function<String, T> parser) {
        Node node = members.get(key);
        if (node == null) {
            return Optional.empty();
        }
        String value = scalar(node);
        try {
            return Optional.of(parser.apply(value));
        } catch (NumberFormatException _) {
            throw wrong(node.getStartMark(), "'" + key + "' must be a number, not '" + value + "'");
        } catch (IllegalArgumentException e) {
            throw wrong(node.getStartMark(), "'" + key + "': " + e.getMessage());
        }
    }

    private Mix mix(Node node) {
        Map<String, Node> shares = members(node, OPERATIONS);
        double[] parts = new double[OPERATIONS.size()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = text(shares, OPERATIONS.get(i), Double::parseDouble).orElse(0.0);
        }
        try {
            return new Mix(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]);
        } catch (IllegalArgumentException e) {
            throw wrong(node.getStartMark(), String.valueOf(e.getMessage()));
        }
    }

    private LabException wrong(Optional<Mark> mark, String what) {
        String line = mark.map(known -> ":" + (known.getLine() + 1)).orElse("");
        return new LabException(file + line + ": " + what);
    }
}
