package kvant.server.resp.parse;

import java.util.Arrays;

/// The patterns of `SCAN`: `*`, `?`, `[a-z]`, `[^a]`, and a backslash before what stands for itself.
///
/// Matches in time of pattern times key at most, whatever the pattern: only the last star is ever tried again.
public final class Glob {

    /// Behind the bytes that every match begins with; what is longer would keep an event loop busy.
    public static final int MAX_BYTES = 256;

    // Constant.
    private final byte[] pattern;
    private final byte[] prefix;

    public Glob(byte[] pattern) {
        this.pattern = pattern;
        this.prefix = prefixOf(pattern);
    }

    /// What every match begins with.
    public byte[] prefix() {
        return prefix;
    }

    public boolean isTooLong() {
        return pattern.length - prefix.length > MAX_BYTES;
    }

    private static byte[] prefixOf(byte[] pattern) {
        int end = 0;
        while (end < pattern.length && "*?[\\".indexOf(pattern[end]) < 0) {
            end++;
        }
        return Arrays.copyOf(pattern, end);
    }

    public boolean matches(byte[] key) {
        int at = 0;
        int in = 0;
        int star = -1;
        int retry = 0;
        while (in < key.length) {
            if (at < pattern.length && pattern[at] == '*') {
                star = at++;
                retry = in;
            } else if (at < pattern.length && one(at, key[in])) {
                at = next(at);
                in++;
            } else if (star >= 0) {
                at = star + 1;
                in = ++retry;
            } else {
                return false;
            }
        }
        while (at < pattern.length && pattern[at] == '*') {
            at++;
        }
        return at == pattern.length;
    }

    /// Whether the element at an index of the pattern stands for a byte.
    private boolean one(int at, byte b) {
        return switch (pattern[at]) {
            case '?' -> true;
            case '[' -> inClass(at, b);
            case '\\' -> at + 1 < pattern.length ? pattern[at + 1] == b : b == '\\';
            default -> pattern[at] == b;
        };
    }

    /// The index behind that element.
    private int next(int at) {
        return switch (pattern[at]) {
            case '[' -> Math.min(pattern.length, endOfClass(at) + 1);
            case '\\' -> Math.min(pattern.length, at + 2);
            default -> at + 1;
        };
    }

    /// The index of the bracket that ends a class; behind the pattern where none does.
    private int endOfClass(int begin) {
        int at = begin + 1;
        if (at < pattern.length && pattern[at] == '^') {
            at++;
        }
        while (at < pattern.length && pattern[at] != ']') {
            if (pattern[at] == '\\') {
                at += 2;
            } else {
                at += isSpan(at, pattern.length) ? 3 : 1;
            }
        }
        return Math.min(at, pattern.length);
    }

    /// As in `a-z`. The bracket in `a-]` is the end of the span, and ends no class: so Redis has it.
    private boolean isSpan(int at, int end) {
        return at + 2 < end && pattern[at + 1] == '-';
    }

    private boolean inClass(int begin, byte b) {
        int end = endOfClass(begin);
        int at = begin + 1;
        boolean negated = at < end && pattern[at] == '^';
        if (negated) {
            at++;
        }
        int value = Byte.toUnsignedInt(b);
        boolean found = false;
        while (at < end) {
            if (pattern[at] == '\\' && at + 1 < end) {
                at++;
                found |= pattern[at++] == b;
            } else if (isSpan(at, end)) {
                int first = Byte.toUnsignedInt(pattern[at]);
                int last = Byte.toUnsignedInt(pattern[at + 2]);
                found |= value >= Math.min(first, last) && value <= Math.max(first, last);
                at += 3;
            } else {
                found |= pattern[at++] == b;
            }
        }
        return found != negated;
    }
}
