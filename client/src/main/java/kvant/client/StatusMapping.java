package kvant.client;

/// What an answer means that is not the one which was asked for; the same for every call.
enum StatusMapping {
    /// The condition of a write does not hold.
    CONDITION_FAILED,
    /// Not executed, and asking again would not help.
    REFUSED,
    /// Not executed, and asking again may help.
    NOT_NOW,
    /// Executed, and failed.
    FAILED,
    /// Perhaps executed. Asking again may help.
    NO_WORD;

    /// Only what a node itself says counts as "not executed": a proxy may lose an answer and write one of its own.
    static StatusMapping of(Problem problem) {
        return switch (problem.status()) {
            case 412 -> CONDITION_FAILED;
            case 429 -> NOT_NOW;
            case 408 -> problem.is("request-timeout") ? NOT_NOW : NO_WORD;
            case 500 -> FAILED;
            case 502 -> NO_WORD;
            case 503 -> ofUnavailable(problem);
            case 504 -> problem.is("replicas-unavailable") ? NOT_NOW : NO_WORD;
            case 501, 505, 507 -> REFUSED;
            default -> problem.status() >= 400 && problem.status() < 500 ? REFUSED : FAILED;
        };
    }

    private static StatusMapping ofUnavailable(Problem problem) {
        if (problem.is("writes-stopped")) {
            return REFUSED; // until somebody restarts the node
        }
        return problem.type().isEmpty() ? NO_WORD : NOT_NOW;
    }
}
