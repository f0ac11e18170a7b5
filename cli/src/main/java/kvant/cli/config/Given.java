package kvant.cli.config;

import java.util.List;

/// A value of a setting, and where it was given: the name of a variable, a file and line, or the command line.
record Given(Setting setting, String value, String origin) {

    static final String COMMAND_LINE = "command line";

    /// @throws IllegalArgumentException saying what is wrong with the value
    List<String> words() {
        return setting.words(value);
    }
}
