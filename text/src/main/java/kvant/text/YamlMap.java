package kvant.text;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/// A mapping of a YAML file. A key that is unknown, occurs twice or cannot be read is an error with its line, because
/// a misspelt key that is ignored gives the figure of another configuration.
public final class YamlMap {

    /// The bound on a file: a person writes no longer one.
    private static final int LONGEST = 1 << 20;

    private final String label;
    private final Node node;
    private final Map<String, Node> members = new LinkedHashMap<>();
    private final Map<String, Node> names = new LinkedHashMap<>();

    /// @param known null where the keys are free
    private YamlMap(String label, Node node, @Nullable Collection<String> known) {
        this.label = label;
        this.node = node;
        if (!(node instanceof MappingNode mapping)) {
            throw wrong(node, "here must be 'name: value' lines");
        }
        for (NodeTuple tuple : mapping.getValue()) {
            String key = scalar(tuple.getKeyNode());
            if (known != null && !known.contains(key)) {
                throw wrong(tuple.getKeyNode(), "unknown key '" + key + "'; there are " + String.join(", ", known));
            }
            names.put(key, tuple.getKeyNode());
            if (members.put(key, tuple.getValueNode()) != null) {
                throw wrong(tuple.getKeyNode(), "'" + key + "' for the second time");
            }
        }
    }

    /// @param known all keys that the file may have
    /// @throws UserException naming file and line
    public static YamlMap read(Path file, Collection<String> known) {
        return readIfAny(file, known).orElseThrow(() -> new UserException(file + ": the file is empty"));
    }

    /// Reads a file that may hold nothing but comments.
    ///
    /// @param known null where the keys are free
    /// @throws UserException naming file and line
    public static Optional<YamlMap> readIfAny(Path file, @Nullable Collection<String> known) {
        try (InputStream in = Files.newInputStream(file)) {
            return readIfAny(file.toString(), in, known);
        } catch (IOException e) {
            throw new UserException("cannot read " + file + ": " + FileTrouble.reading(e), e);
        }
    }

    /// @param label name of the file in errors
    public static YamlMap read(String label, InputStream in, Collection<String> known) throws IOException {
        return readIfAny(label, in, known).orElseThrow(() -> new UserException(label + ": the file is empty"));
    }

    private static Optional<YamlMap> readIfAny(String label, InputStream in, @Nullable Collection<String> known)
            throws IOException {
        byte[] bytes = in.readNBytes(LONGEST + 1);
        if (bytes.length > LONGEST) {
            throw new UserException(label + ": longer than 1 MiB");
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            LoadSettings settings = LoadSettings.builder().setLabel(label).build();
            return new Compose(settings).composeString(text).map(root -> new YamlMap(label, root, known));
        } catch (CharacterCodingException e) {
            throw new UserException(label + ": it is not text in UTF-8", e);
        } catch (MarkedYamlEngineException e) {
            throw new UserException(at(label, e.getProblemMark()) + ": " + e.getProblem(), e);
        } catch (StackOverflowError e) { // the parser calls itself for each level
            throw new UserException(label + ": nested too deeply", e);
        } catch (YamlEngineException e) {
            throw new UserException(label + ": " + e.getMessage(), e);
        }
    }

    public boolean has(String key) {
        return members.containsKey(key);
    }

    /// Whether there are further keys below this one.
    public boolean isMap(String key) {
        return members.get(key) instanceof MappingNode;
    }

    public boolean isList(String key) {
        return members.get(key) instanceof SequenceNode;
    }

    public Collection<String> keys() {
        return members.keySet();
    }

    public String text(String key, String fallback) {
        @Nullable Node member = members.get(key);
        return member == null ? fallback : scalar(member);
    }

    /// @throws UserException where it is not there, or empty
    public String needed(String key) {
        String value = text(key, "");
        if (value.isBlank()) {
            throw wrong(members.getOrDefault(key, node), "'" + key + "' is missing");
        }
        return value;
    }

    /// @param parser reports an error by an IllegalArgumentException with a one-line message
    public <T> Optional<T> value(String key, Function<String, T> parser) {
        @Nullable Node member = members.get(key);
        return member == null ? Optional.empty() : Optional.of(parsed(key, member, parser));
    }

    private <T> T parsed(String key, Node member, Function<String, T> parser) {
        String value = scalar(member);
        try {
            return parser.apply(value);
        } catch (NumberFormatException _) {
            throw wrong(member, "'" + key + "' must be a number, not '" + value + "'");
        } catch (IllegalArgumentException e) {
            throw wrong(member, "'" + key + "': " + e.getMessage());
        }
    }

    /// A mapping below this one; empty where it is not there.
    ///
    /// @param known null where the keys are free
    public Optional<YamlMap> map(String key, @Nullable Collection<String> known) {
        @Nullable Node member = members.get(key);
        return member == null ? Optional.empty() : Optional.of(new YamlMap(label, member, known));
    }

    /// A list of mappings; empty where it is not there.
    public List<YamlMap> maps(String key, Collection<String> known) {
        List<YamlMap> maps = new ArrayList<>();
        for (Node one : items(key)) {
            maps.add(new YamlMap(label, one, known));
        }
        return maps;
    }

    /// A list of values; a single one counts as a list of one.
    public List<String> texts(String key) {
        @Nullable Node member = members.get(key);
        if (member instanceof ScalarNode) {
            return List.of(scalar(member));
        }
        List<String> texts = new ArrayList<>();
        for (Node one : items(key)) {
            texts.add(scalar(one));
        }
        return texts;
    }

    private List<Node> items(String key) {
        @Nullable Node member = members.get(key);
        if (member == null) {
            return List.of();
        }
        if (member instanceof SequenceNode list) {
            return list.getValue();
        }
        throw wrong(member, "'" + key + "' must be a list");
    }

    private String scalar(Node one) {
        if (one instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw wrong(one, "here must be one value");
    }

    /// The place of the whole mapping, as `FILE:LINE`.
    public String place() {
        return at(label, node.getStartMark());
    }

    /// The place of a member, or of the mapping where there is no such member.
    public String place(String key) {
        return at(label, members.getOrDefault(key, node).getStartMark());
    }

    /// The place of a key, as `FILE:LINE`.
    public String keyPlace(String key) {
        return at(label, names.getOrDefault(key, node).getStartMark());
    }

    /// An error about a key, rather than about its value.
    public UserException wrongKey(String key, String what) {
        return wrong(names.getOrDefault(key, node), what);
    }

    public UserException wrong(String what) {
        return wrong(node, what);
    }

    public UserException wrong(String key, String what) {
        return wrong(members.getOrDefault(key, node), what);
    }

    private UserException wrong(Node where, String what) {
        return new UserException(at(label, where.getStartMark()) + ": " + what.replaceAll("\\p{Cntrl}", "?"));
    }

    private static String at(String label, Optional<Mark> mark) {
        return label + mark.map(known -> ":" + (known.getLine() + 1)).orElse("");
    }
}
