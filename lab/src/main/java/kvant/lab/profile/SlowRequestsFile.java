package kvant.lab.profile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import kvant.lab.LabException;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/// The slowest requests as the load generator saw them: `slow.json`.
final class SlowRequestsFile {

    private static final String SCHEMA = "kvant-slow/1";

    /// The generator keeps a bounded number of requests, whose text has a fraction of that.
    private static final int LONGEST = 64 << 20;

    private SlowRequestsFile() {}

    /// From when each was sent to when its answer was there.
    ///
    /// @throws LabException naming the file and what is wrong with it
    static List<SlowWindow> read(Path file) {
        if (!(parse(file) instanceof Map<?, ?> root)
                || !SCHEMA.equals(root.get("schema"))
                || !(root.get("requests") instanceof List<?> requests)) {
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

    private static Object parse(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(LONGEST + 1);
            if (bytes.length > LONGEST) {
                throw new LabException(file + " is longer than a list of slow requests can be");
            }
            LoadSettings settings =
                    LoadSettings.builder().setCodePointLimit(LONGEST).build();
            Object root = new Load(settings).loadFromString(new String(bytes, StandardCharsets.UTF_8));
            return root == null ? Map.of() : root;
        } catch (IOException e) {
            throw new LabException("cannot read " + file + ": " + ProfileFiles.reason(e), e);
        } catch (YamlEngineException | StackOverflowError e) { // the parser calls itself for each level
            throw new LabException(file + " is not JSON", e);
        }
    }
}
