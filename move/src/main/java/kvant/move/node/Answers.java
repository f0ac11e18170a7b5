package kvant.move.node;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import kvant.engine.EngineException;

/// What the refusals of a node are to the port.
final class Answers {

    static final int OK = 200;
    static final int CREATED = 201;
    static final int ACCEPTED = 202;

    private static final int TIMEOUT = 408;
    private static final int TOO_LARGE = 413;
    private static final int UNSUPPORTED = 501;
    private static final int BUSY = 503;
    private static final int GATEWAY_TIMEOUT = 504;
    private static final int FULL = 507;

    private static final Pattern DETAIL = Pattern.compile("\"detail\":\"((?:[^\"\\\\]|\\\\.)*)\"");

    private Answers() {}

    /// @param body of the answer, a problem as docs/http-api.md has it
    static EngineException failure(int status, String body) {
        Matcher matcher = DETAIL.matcher(body);
        String text = "the node answered " + status
                + (matcher.find() ? ": " + matcher.group(1).replace("\\\"", "\"") : "");
        return switch (status) {
            case UNSUPPORTED, TOO_LARGE -> new EngineException.Unsupported(text);
            case FULL -> new EngineException.StorageFull(text);
            case BUSY ->
                body.contains("problem:writes-stopped")
                        ? new EngineException.LogFailed(text)
                        : new EngineException.Busy(text);
            case GATEWAY_TIMEOUT ->
                body.contains("problem:replicas-unavailable")
                        ? new EngineException.Unavailable(text)
                        : new EngineException.OutcomeUnknown(text);
            case TIMEOUT -> new EngineException.OutcomeUnknown(text);
            default -> new EngineException.Io(text, null);
        };
    }
}
