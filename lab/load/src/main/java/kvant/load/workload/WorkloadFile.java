package kvant.load.workload;

import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import kvant.load.dialect.Dialect;
import kvant.load.keys.KeyPlan;
import kvant.load.keys.KeyText;
import kvant.load.keys.ValueSizes;
import kvant.text.Units;
import kvant.text.UserException;
import kvant.text.YamlMap;

/// A workload file, as described in docs/load.md: a small YAML mapping.
public final class WorkloadFile {

    private static final List<String> KEYS = List.of("""
            name mix keys key-distribution key-prefix key-digits values hits scan-length dialect entity-path scan-path
            """.strip().split(" "));

    private static final List<String> OPERATIONS = List.of("get", "update", "insert", "delete", "scan", "rmw");

    private WorkloadFile() {}

    /// @throws UserException naming file and line
    public static Workload read(Path file) {
        YamlMap yaml = YamlMap.read(file, KEYS);
        String own = String.valueOf(file.getFileName()).replaceAll("\\.[^.]*$", "");
        int digits = yaml.value("key-digits", Integer::parseInt).orElse(KeyText.DEFAULT.digits());
        String prefix = yaml.text("key-prefix", KeyText.DEFAULT.prefix());
        try {
            return Workload.named("get").with(w -> {
                w.name = yaml.text("name", own);
                w.keyText = new KeyText(prefix, digits);
                w.keys = yaml.value("keys", Units::count).orElse(w.keys);
                w.keyPlan = yaml.value("key-distribution", KeyPlan::parse).orElse(w.keyPlan);
                w.values = yaml.value("values", ValueSizes::parse).orElse(w.values);
                w.hits = yaml.value("hits", Double::parseDouble).orElse(w.hits);
                w.mostScanned = yaml.value("scan-length", Integer::parseInt).orElse(w.mostScanned);
                w.mix = yaml.has("mix") ? mix(yaml) : w.mix;
                yaml.value("dialect", Dialect::parse).ifPresent(w::speak);
                w.entityPath = yaml.text("entity-path", w.entityPath);
                w.scanPath = yaml.text("scan-path", w.scanPath);
            });
        } catch (IllegalArgumentException e) {
            throw new UserException(file + ": " + e.getMessage(), e);
        }
    }

    private static Mix mix(YamlMap yaml) {
        YamlMap shares = yaml.map("mix", OPERATIONS).orElseThrow();
        ToDoubleFunction<String> share =
                operation -> shares.value(operation, Double::parseDouble).orElse(0.0);
        try {
            return Mix.of(mix -> {
                mix.get = share.applyAsDouble("get");
                mix.update = share.applyAsDouble("update");
                mix.insert = share.applyAsDouble("insert");
                mix.delete = share.applyAsDouble("delete");
                mix.scan = share.applyAsDouble("scan");
                mix.rmw = share.applyAsDouble("rmw");
            });
        } catch (IllegalArgumentException e) {
            throw shares.wrong(String.valueOf(e.getMessage()));
        }
    }
}
