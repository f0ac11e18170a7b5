package kvant.lab.report;

import java.util.Locale;

/// Writes JSON, one member a line, in the order of the calls. The caller keeps braces balanced.
public final class Json {

    private static final int LOWEST_PRINTABLE = 0x20;

    private final StringBuilder text = new StringBuilder();
    private int depth;
    private boolean first = true;

    @Override
    public String toString() {
        return text + "\n";
    }

    private void place() {
        if (!first) {
            text.append(',');
        }
        first = false;
        if (depth > 0) {
            text.append('\n').repeat(' ', 2 * depth);
        }
    }

    private void name(String name) {
        place();
        quote(name);
        text.append(": ");
    }

    public Json open() {
        place();
        return opened('{');
    }

    public Json open(String name) {
        name(name);
        return opened('{');
    }

    public Json openList(String name) {
        name(name);
        return opened('[');
    }

    private Json opened(char brace) {
        text.append(brace);
        depth++;
        first = true;
        return this;
    }

    public Json close() {
        return closed('}');
    }

    public Json closeList() {
        return closed(']');
    }

    private Json closed(char brace) {
        depth--;
        if (!first) {
            text.append('\n').repeat(' ', 2 * depth);
        }
        text.append(brace);
        first = false;
        return this;
    }

    public Json put(String name, String value) {
        name(name);
        quote(value);
        return this;
    }

    public Json put(String name, long value) {
        name(name);
        text.append(value);
        return this;
    }

    public Json put(String name, boolean value) {
        name(name);
        text.append(value);
        return this;
    }

    /// With three decimals; what is no number is null.
    public Json put(String name, double value) {
        name(name);
        number(value);
        return this;
    }

    /// A member of a list.
    public Json add(String value) {
        place();
        quote(value);
        return this;
    }

    /// A member of a list, on one line.
    public Json add(double... values) {
        place();
        text.append('[');
        for (int i = 0; i < values.length; i++) {
            if (i > 0) {
                text.append(", ");
            }
            number(values[i]);
        }
        text.append(']');
        return this;
    }

    private void number(double value) {
        if (!Double.isFinite(value)) {
            text.append("null");
        } else if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            text.append((long) value);
        } else {
            text.append(String.format(Locale.ROOT, "%.3f", value));
        }
    }

    private void quote(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                default -> {
                    if (c < LOWEST_PRINTABLE) {
                        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }
}
