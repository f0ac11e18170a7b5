package kvant.load.output;

/// Colours for a terminal, or none.
///
/// @param on whether the output is a terminal that supports them
public record TerminalColours(boolean on) {

    public String red(String text) {
        return coloured("31;1", text);
    }

    public String yellow(String text) {
        return coloured("33", text);
    }

    public String green(String text) {
        return coloured("32", text);
    }

    private String coloured(String code, String text) {
        return on ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }
}
