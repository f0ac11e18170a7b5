package kvant.lab.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import kvant.text.UserException;
import kvant.text.YamlMap;

/// Reads the phases of an experiment. A setting stands in one of four blocks, and the later one
/// wins: `load`, the phase itself, and of the block of a scale `load` and `phase.NAME`.
final class PhaseReader {

    private final YamlMap root;
    private final Path folder;
    private final Optional<YamlMap> scale;

    /// @param folder where files of workloads are looked for
    /// @param scale the block of the scale that is wanted, where it has one
    PhaseReader(YamlMap root, Path folder, Optional<YamlMap> scale) {
        this.root = root;
        this.folder = folder;
        this.scale = scale;
    }

    List<Phase> read() {
        List<String> keys = new ArrayList<>(Phase.KEYS);
        keys.add("name");
        Optional<YamlMap> all = root.map("load", Phase.KEYS);
        Optional<YamlMap> scaled = scale.flatMap(yaml -> yaml.map("load", Phase.KEYS));
        Optional<YamlMap> scaledPhases = scale.flatMap(yaml -> yaml.map("phase", null));
        List<Phase> phases = new ArrayList<>();
        for (YamlMap yaml : root.maps("phases", keys)) {
            String name = ExperimentReader.name(yaml, "name", yaml.needed("name"));
            List<YamlMap> blocks = new ArrayList<>();
            all.ifPresent(blocks::add);
            blocks.add(yaml);
            scaled.ifPresent(blocks::add);
            scaledPhases.flatMap(own -> own.map(name, Phase.KEYS)).ifPresent(blocks::add);
            phases.add(phase(name, yaml, blocks));
        }
        if (phases.isEmpty()) {
            throw root.wrong("phases", "there are no phases");
        }
        if (phases.size() > Experiment.MOST_PHASES) {
            throw root.wrong("phases", phases.size() + " phases: at most " + Experiment.MOST_PHASES);
        }
        scaledPhases.ifPresent(own -> own.keys().forEach(name -> {
            if (phases.stream().noneMatch(phase -> phase.name().equals(name))) {
                throw own.wrong(name, "there is no phase '" + name + "'");
            }
        }));
        return phases;
    }

    private Phase phase(String name, YamlMap yaml, List<YamlMap> blocks) {
        Map<String, String> settings = new LinkedHashMap<>();
        Map<String, String> places = new LinkedHashMap<>();
        for (YamlMap block : blocks) {
            for (String key : block.keys()) {
                if (!key.equals("name")) {
                    String text = block.text(key, "");
                    boolean file = key.equals("workload") && Phase.isFile(text);
                    settings.put(key, file ? folder.resolve(text).normalize().toString() : text);
                    places.put(key, block.place(key));
                }
            }
        }
        try {
            return Phase.of(name, settings);
        } catch (SettingException e) {
            String place = places.getOrDefault(e.key(), yaml.place());
            throw new UserException(place + ": phase '" + name + "', " + e.explanation(), e);
        }
    }
}
