package kvant.cli;

/// How a command answers: for a person or for a program.
enum OutputFormat {
    TEXT,
    JSON
}
