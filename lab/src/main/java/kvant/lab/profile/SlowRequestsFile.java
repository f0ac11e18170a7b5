package kvant.lab.profile;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import kvant.lab.LabException;
import kvant.lab.yaml.JsonFile;

/// The slowest requests as the load generator saw them: `slow.json`.
final class SlowRequestsFile {

    private static final String SCHEMA = "kvant-slow/1";

    private SlowRequestsFile() {}

    /// From when each was sent to when its answer was there.
    ///
    /// @throws LabException naming the file and what is wrong with it
    static List<SlowWindow> read(Path file) {
        Map<?, ?> root = JsonFile.read(file, "a list of slow requests", JsonFile.LONGEST);
        if (!SCHEMA.equals(root.get("schema")) || !(root.get("requests") instanceof List<?> requests)) {
            throw new LabException(file + " is not a list of slow requests (schema " + SCHEMA + ")");
        }
        List<SlowWindow> windows = new ArrayList<>();
        for (Object each : requests) {
            if (each instanceof Map<?, ?> request
                    && request.get("sentNanos") instanceof Number sent
                    && request.get("receivedNanos") instanceof Number received
                    && received.longValue() >= sent.longValue()) {
                windows.add(SlowWindow.of(sent.longValue(), received.longValue()));
            } else {
                throw new LabException(
                        file + ": request " + (windows.size() + 1) + " lacks 'sentNanos' and a later 'receivedNanos'");
            }
        }
        return windows;
    }
}
