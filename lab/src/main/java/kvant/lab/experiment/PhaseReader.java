package kvant.lab.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import kvant.lab.LabException;
import kvant.lab.yaml.YamlMap;

/// Reads the phases of an experiment. A setting stands in one of four blocks, and the later one
/// wins: `load`, the phase itself, `quick.load`, `quick.phase.NAME`.
final class PhaseReader {

    private final YamlMap root;
    private final Optional<YamlMap> quick;

    /// @param quick the quick scale, where it is wanted
    PhaseReader(YamlMap root, Optional<YamlMap> quick) {
        this.root = root;
        this.quick = quick;
    }

    List<Phase> read() {
        List<String> keys = new ArrayList<>(Phase.KEYS);
        keys.add("name");
        Optional<YamlMap> all = root.map("load", Phase.KEYS);
        Optional<YamlMap> quickly = quick.flatMap(yaml -> yaml.map("load", Phase.KEYS));
        Optional<YamlMap> quickPhases = quick.flatMap(yaml -> yaml.map("phase", null));
        List<Phase> phases = new ArrayList<>();
        for (YamlMap yaml : root.maps("phases", keys)) {
            String name = ExperimentReader.name(yaml, "name", yaml.needed("name"));
            List<YamlMap> blocks = new ArrayList<>();
            all.ifPresent(blocks::add);
            blocks.add(yaml);
            quickly.ifPresent(blocks::add);
            quickPhases.flatMap(own -> own.map(name, Phase.KEYS)).ifPresent(blocks::add);
            phases.add(phase(name, yaml, blocks));
        }
        if (phases.isEmpty()) {
            throw root.wrong("phases", "there are no phases");
        }
        if (phases.size() > Experiment.MOST_PHASES) {
            throw root.wrong("phases", phases.size() + " phases: at most " + Experiment.MOST_PHASES);
        }
        quickPhases.ifPresent(own -> own.keys().forEach(name -> {
            if (phases.stream().noneMatch(phase -> phase.name().equals(name))) {
                throw own.wrong(name, "there is no phase '" + name + "'");
            }
        }));
        return phases;
    }

    private static Phase phase(String name, YamlMap yaml, List<YamlMap> blocks) {
        Map<String, String> settings = new LinkedHashMap<>();
        Map<String, String> places = new LinkedHashMap<>();
        for (YamlMap block : blocks) {
            for (String key : block.keys()) {
                if (!key.equals("name")) {
                    settings.put(key, block.text(key, ""));
                    places.put(key, block.place(key));
                }
            }
        }
        try {
            return Phase.of(name, settings);
        } catch (SettingException e) {
            String place = places.getOrDefault(e.key(), yaml.place());
            throw new LabException(place + ": phase '" + name + "', " + e.explanation(), e);
        }
    }
}
