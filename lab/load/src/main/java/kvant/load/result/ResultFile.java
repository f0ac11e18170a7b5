package kvant.load.result;

import java.nio.file.Path;
import java.util.Map;
import kvant.load.result.RecordJson.Unwrapped;
import kvant.text.JsonFile;
import kvant.text.JsonValue;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;

/// Writes a [LoadResult] as JSON and reads it: the schema of docs/load.md, version [#SCHEMA]. Unknown members are
/// ignored, because a later version may add some; missing ones are 0, empty or NaN. Only the numbers of due requests
/// and errors are mandatory: with 0 in their place a broken file would look good.
public final class ResultFile {

    public static final String SCHEMA = "kvant-load/1";

    private static final String WHAT = "a result of 'kvant load'";

    private record Marked(String schema, @Unwrapped LoadResult result) {}

    private ResultFile() {}

    public static String text(LoadResult result) {
        return RecordJson.write(new Marked(SCHEMA, result));
    }

    /// @throws UserException in one line that names the file
    public static LoadResult read(Path file) {
        return read(JsonFile.read(file, WHAT, JsonFile.LONGEST), file.toString());
    }

    /// @param label name of the text in errors
    /// @throws UserException in one line that begins with the label
    public static LoadResult read(String text, String label) {
        return read(JsonFile.object(text, label, WHAT), label);
    }

    private static LoadResult read(Map<String, @Nullable Object> json, String label) {
        if (!SCHEMA.equals(json.get("schema"))) {
            throw new UserException(label + " is not " + WHAT + " (schema " + SCHEMA + ")");
        }
        JsonValue requests = new JsonValue(json).at("requests");
        for (String name : new String[] {"due", "errors"}) {
            if (!(requests.at(name).value() instanceof Number)) {
                throw new UserException(label + ": 'requests." + name + "' is missing");
            }
        }
        return RecordJson.of(json, LoadResult.class);
    }
}
