package kvant.text.command;

/// How a command answers: for a person or for a program.
public enum Output {
    TEXT,
    JSON
}
