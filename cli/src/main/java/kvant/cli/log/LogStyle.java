package kvant.cli.log;

/// How a line of the log is written.
public enum LogStyle {
    /// For people: time, level, logger, thread and message, with blanks between them.
    TEXT,
    /// For programs: one JSON object a line.
    JSON
}
