package kvant.lab.commit;

/// A commit of a repository.
///
/// @param id all of it
/// @param subject the first line of its message
public record Commit(String id, String subject) {

    private static final int SHORT = 9;
    private static final int LONGEST_SUBJECT = 60;

    public String shortId() {
        return id.substring(0, Math.min(SHORT, id.length()));
    }

    /// For a chart.
    public String title() {
        String shown = subject.length() > LONGEST_SUBJECT ? subject.substring(0, LONGEST_SUBJECT) + "…" : subject;
        return shortId() + " " + shown;
    }
}
