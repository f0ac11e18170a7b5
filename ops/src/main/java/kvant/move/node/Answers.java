package kvant.move.node;

import java.io.IOException;
import kvant.engine.EngineException;
import kvant.text.JsonReader;

/// Translates the refusals of a node to exceptions of the port.
final class Answers {

    static final int OK = 200;
    static final int CREATED = 201;
    static final int ACCEPTED = 202;
    static final int MISDIRECTED = 421;

    private static final int TIMEOUT = 408;
    private static final int TOO_LARGE = 413;
    private static final int UNSUPPORTED = 501;
    private static final int BUSY = 503;
    private static final int GATEWAY_TIMEOUT = 504;
    private static final int FULL = 507;

    private static final String PROBLEM = "urn:kvant:problem:";

    private Answers() {}

    /// @param body of the answer, a problem as docs/http-api.md has it
    static EngineException failure(int status, byte[] body) {
        String type = "";
        String detail = "";
        try (JsonReader reader = JsonReader.of(body, body.length)) {
            for (String name = reader.nextName(); name != null; name = reader.nextName()) {
                switch (name) {
                    case "type" -> type = reader.string();
                    case "detail" -> detail = reader.string();
                    default -> {}
                }
            }
        } catch (IOException _) {
            // Another server's, or a long one's beginning: the status says enough.
        }
        String text = "the node answered " + status + (detail.isEmpty() ? "" : ": " + detail);
        return switch (status) {
            case UNSUPPORTED, TOO_LARGE -> new EngineException.Unsupported(text);
            case FULL -> new EngineException.StorageFull(text);
            case BUSY ->
                type.equals(PROBLEM + "writes-stopped")
                        ? new EngineException.LogFailed(text)
                        : new EngineException.Busy(text);
            case GATEWAY_TIMEOUT ->
                type.equals(PROBLEM + "replicas-unavailable")
                        ? new EngineException.Unavailable(text)
                        : new EngineException.OutcomeUnknown(text);
            case TIMEOUT -> new EngineException.OutcomeUnknown(text);
            default -> new EngineException.Io(text, null);
        };
    }
}
