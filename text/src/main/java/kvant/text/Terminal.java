package kvant.text;

import java.io.Console;

/// Properties of the user's terminal.
public final class Terminal {

    private Terminal() {}

    /// Whether input and output are a terminal, so that a line may be drawn over.
    public static boolean isInteractive() {
        Console console = System.console();
        return console != null && console.isTerminal() && !"dumb".equals(System.getenv("TERM"));
    }

    /// A terminal whose user has not turned colour off (no-color.org).
    public static boolean wantsColour() {
        String refusal = System.getenv("NO_COLOR");
        return isInteractive() && (refusal == null || refusal.isEmpty());
    }
}
