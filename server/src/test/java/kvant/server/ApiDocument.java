package kvant.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// The description of the API that a node serves, to be compared with what nodes and clients do.
public final class ApiDocument {

    private static final String LOCAL = "#/";

    private final Map<?, ?> root;

    public ApiDocument() {
        try (InputStream in =
                Objects.requireNonNull(ApiDocument.class.getResourceAsStream("/kvant/server/openapi.yaml"))) {
            root = (Map<?, ?>) new Load(LoadSettings.builder()
                            .setMaxAliasesForCollections(0)
                            .build())
                    .loadFromInputStream(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Map<?, ?> at(String... keys) {
        return in(root, keys);
    }

    /// The part at these keys of a part of the document.
    public static Map<?, ?> in(Map<?, ?> part, String... keys) {
        Map<?, ?> map = part;
        for (String key : keys) {
            map = (Map<?, ?>) Objects.requireNonNull(map.get(key), () -> "no " + String.join("/", keys));
        }
        return map;
    }

    /// The target of `$ref`, or the thing itself.
    public Map<?, ?> resolved(Object thing) {
        Object reference = ((Map<?, ?>) thing).get("$ref");
        return reference == null
                ? (Map<?, ?>) thing
                : at(reference.toString().substring(LOCAL.length()).split("/"));
    }

    /// All operations of all paths.
    public List<Map<?, ?>> operations() {
        List<Map<?, ?>> operations = new ArrayList<>();
        for (Object path : at("paths").values()) {
            ((Map<?, ?>) path).values().forEach(operation -> operations.add((Map<?, ?>) operation));
        }
        return operations;
    }
}
