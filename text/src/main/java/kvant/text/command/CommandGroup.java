package kvant.text.command;

import java.util.ArrayList;
import java.util.List;

/// A command that does nothing without one of its subcommands.
public abstract class CommandGroup extends CliCommand {

    @Override
    public final Integer call() {
        throw wrong(
                "a command is needed: " + any(List.copyOf(spec().subcommands().keySet())));
    }

    /// `a`, `a or b`, `a, b or c`.
    private static String any(List<String> names) {
        List<String> first = new ArrayList<>(names);
        String last = first.removeLast();
        return first.isEmpty() ? last : String.join(", ", first) + " or " + last;
    }
}
