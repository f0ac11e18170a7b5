package kvant.text.command;

/// The form of a command's output: for a person or for a program.
public enum Output {
    TEXT,
    JSON
}
