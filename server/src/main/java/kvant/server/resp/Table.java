package kvant.server.resp;

import java.util.List;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// The commands by name, found without making a string of what a client sent: open addressing over the bytes in lower
/// case. Immutable.
final class Table {

    private static final int SPREAD = 31;

    private final List<Spec> all;
    private final Spec[] slots;
    private final byte[][] names;

    Table(List<Spec> all) {
        this.all = List.copyOf(all);
        int size = Integer.highestOneBit(all.size()) * 4;
        slots = new Spec[size];
        names = new byte[size][];
        for (Spec spec : all) {
            byte[] name = spec.bytes();
            int at = hash(name) & size - 1;
            while (names[at] != null) {
                at = at + 1 & size - 1;
            }
            slots[at] = spec;
            names[at] = name;
        }
    }

    List<Spec> all() {
        return all;
    }

    @Nullable
    Spec find(byte[] word) {
        int mask = slots.length - 1;
        for (int at = hash(word) & mask; names[at] != null; at = at + 1 & mask) {
            if (is(word, names[at])) {
                return slots[at];
            }
        }
        return null;
    }

    private static boolean is(byte[] word, byte[] name) {
        if (word.length != name.length) {
            return false;
        }
        for (int i = 0; i < name.length; i++) {
            if (Words.lower(word[i]) != name[i]) {
                return false;
            }
        }
        return true;
    }

    private static int hash(byte[] word) {
        int hash = word.length;
        for (int i = 0; i < Math.min(word.length, 16); i++) {
            hash = hash * SPREAD + Words.lower(word[i]);
        }
        return hash ^ hash >>> 7;
    }
}
