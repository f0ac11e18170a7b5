package kvant.lab.workload;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import kvant.lab.Amounts;
import kvant.lab.LabException;
import kvant.lab.keys.KeyPlan;
import kvant.lab.keys.KeyText;
import kvant.lab.keys.ValueSizes;
import kvant.lab.yaml.YamlMap;

/// A workload in a file, as docs/load.md describes: a small YAML mapping.
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

    private WorkloadFile() {}

    /// @throws LabException naming file and line
    public static Workload read(Path file) {
        YamlMap yaml = YamlMap.read(file, KEYS);
        String own = String.valueOf(file.getFileName()).replaceAll("\\.[^.]*$", "");
        Workload workload = Workload.named("get").withName(yaml.text("name", own));
        int digits = yaml.value("key-digits", Integer::parseInt).orElse(KeyText.DEFAULT.digits());
        String prefix = yaml.text("key-prefix", KeyText.DEFAULT.prefix());
        try {
            workload = workload.withKeyText(new KeyText(prefix, digits))
                    .withKeys(yaml.value("keys", Amounts::count).orElse(workload.keys()))
                    .withKeyPlan(yaml.value("key-distribution", KeyPlan::parse).orElse(workload.keyPlan()))
                    .withValues(yaml.value("values", ValueSizes::parse).orElse(workload.values()))
                    .withHits(yaml.value("hits", Double::parseDouble).orElse(workload.hits()))
                    .withMostScanned(
                            yaml.value("scan-length", Integer::parseInt).orElse(workload.mostScanned()));
            workload = yaml.has("mix") ? workload.withMix(mix(yaml)) : workload;
            return workload.withPaths(
                    yaml.text("entity-path", workload.entityPath()), yaml.text("scan-path", workload.scanPath()));
        } catch (IllegalArgumentException e) {
            throw new LabException(file + ": " + e.getMessage(), e);
        }
    }

    private static Mix mix(YamlMap yaml) {
        YamlMap shares = yaml.map("mix", OPERATIONS).orElseThrow();
        Function<String, Double> share =
                operation -> shares.value(operation, Double::parseDouble).orElse(0.0);
        double[] parts = OPERATIONS.stream().mapToDouble(share::apply).toArray();
        try {
            return new Mix(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5]);
        } catch (IllegalArgumentException e) {
            throw shares.wrong(String.valueOf(e.getMessage()));
        }
    }
}
