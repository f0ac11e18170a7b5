package kvant.cli;

/// How a command answers: for a person or for a program.
enum Output {
    TEXT,
    JSON
}
