package kvant.server.resp.parse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The patterns of `SCAN`: `*`, `?`, `[a-z]`, `[^a]`, and a backslash before a literal character.
///
/// A match takes at most time proportional to pattern times key, for every pattern: only the last star is ever
/// retried.
public final class Glob {

    /// Longest pattern behind its literal prefix; a longer one would keep an event loop busy.
    public static final int MAX_BYTES = 256;

    private static final int BYTES = 256;

    // Constant.
    private final byte[] pattern;
    private final byte[] prefix;
    private final List<@Nullable BitSet> elements = new ArrayList<>(); // the bytes of each; null for a star

    public Glob(byte[] pattern) {
        this.pattern = pattern;
        int end = 0;
        while (end < pattern.length && "*?[\\".indexOf(pattern[end]) < 0) {
            end++;
        }
        prefix = Arrays.copyOf(pattern, end);
        while (end < pattern.length && !isTooLong()) {
            end = element(end);
        }
    }

    /// The literal prefix of every match.
    public byte[] prefix() {
        return prefix;
    }

    public boolean isTooLong() {
        return pattern.length - prefix.length > MAX_BYTES;
    }

    /// @return the index behind the element at an index
    private int element(int begin) {
        BitSet bytes = new BitSet(BYTES);
        int at = begin;
        switch (pattern[at]) {
            case '[' -> at = oneOf(bytes, at + 1) - 1;
            case '?' -> bytes.set(0, BYTES);
            default -> {
                at += isEscaped(at) ? 1 : 0;
                bytes.set(at(at));
            }
        }
        elements.add(pattern[begin] == '*' ? null : bytes);
        return at + 1;
    }

    /// Reads a class. The bracket in `a-]` is the end of the span, and ends no class: so Redis has it.
    private int oneOf(BitSet bytes, int begin) {
        boolean negated = begin < pattern.length && pattern[begin] == '^';
        int at = negated ? begin + 1 : begin;
        while (at < pattern.length && pattern[at] != ']') {
            boolean escaped = isEscaped(at);
            at += escaped ? 1 : 0;
            int last = !escaped && at + 2 < pattern.length && pattern[at + 1] == '-' ? at + 2 : at;
            bytes.set(Math.min(at(at), at(last)), Math.max(at(at), at(last)) + 1);
            at = last + 1;
        }
        if (negated) {
            bytes.flip(0, BYTES);
        }
        return at + 1;
    }

    private boolean isEscaped(int at) {
        return pattern[at] == '\\' && at + 1 < pattern.length;
    }

    private int at(int index) {
        return Byte.toUnsignedInt(pattern[index]);
    }

    public boolean matches(byte[] key) {
        int in = prefix.length;
        if (key.length < in || !Arrays.equals(prefix, 0, in, key, 0, in)) {
            return false;
        }
        int at = 0;
        int star = -1;
        int retry = 0;
        while (in < key.length) {
            BitSet element = at < elements.size() ? elements.get(at) : null;
            if (element != null && element.get(Byte.toUnsignedInt(key[in]))) {
                at++;
                in++;
            } else if (element == null && at < elements.size()) {
                star = at++;
                retry = in;
            } else if (star >= 0) {
                at = star + 1;
                in = ++retry;
            } else {
                return false;
            }
        }
        while (at < elements.size() && elements.get(at) == null) {
            at++;
        }
        return at == elements.size();
    }
}
