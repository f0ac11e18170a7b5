package kvant.server.resp;

import java.nio.charset.StandardCharsets;
import java.util.List;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// What there is to know of a command.
///
/// @param name in lower case
/// @param arity number of words with the name; negative where that is the least
/// @param firstKey index of its first key, 0 for none
/// @param lastKey index of the last one, counted from the end where negative
/// @param step from key to key
record CommandSpec(String name, int arity, Right right, int firstKey, int lastKey, int step, Maker maker) {

    /// What a client has to be allowed to do.
    enum Right {
        NONE,
        /// Any token.
        TOKEN,
        READ,
        WRITE,
        READ_AND_WRITE,
        /// What changes all that is stored.
        ADMIN
    }

    /// Makes what a command comes to of its words.
    @FunctionalInterface
    interface Maker {
        Action make(Commands commands, Session session, List<byte[]> words) throws WrongCommandException;
    }

    static CommandSpec plain(String name, int arity, Right right, Maker maker) {
        return new CommandSpec(name, arity, right, 0, 0, 0, maker);
    }

    static CommandSpec ofKey(String name, int arity, Right right, Maker maker) {
        return new CommandSpec(name, arity, right, 1, 1, 1, maker);
    }

    static CommandSpec ofKeys(String name, int arity, Right right, int step, Maker maker) {
        return new CommandSpec(name, arity, right, 1, -1, step, maker);
    }

    boolean writes() {
        return right == Right.WRITE || right == Right.READ_AND_WRITE;
    }

    /// Whether it reads or changes what is stored.
    boolean isAboutData() {
        return right != Right.NONE && right != Right.TOKEN;
    }

    boolean takes(int words) {
        return arity < 0 ? words >= -arity : words == arity;
    }

    /// The index of its last key among so many words.
    int lastKeyOf(int words) {
        return lastKey < 0 ? words + lastKey : lastKey;
    }

    /// How many keys it has among so many words.
    int keys(int words) {
        return firstKey == 0 ? 0 : (lastKeyOf(words) - firstKey) / step + 1;
    }

    /// As `COMMAND` shows it.
    void describe(ReplyText text) {
        text.array(10).bulk(name).number(arity).set(right == Right.READ ? 2 : 1);
        switch (right) {
            case READ -> text.status("readonly").status("fast");
            case WRITE, READ_AND_WRITE, ADMIN -> text.status("write");
            case NONE -> text.status("no_auth");
            case TOKEN -> text.status("fast");
        }
        text.number(firstKey).number(lastKey).number(step);
        String category = switch (right) {
            case READ -> "@read";
            case WRITE, READ_AND_WRITE -> "@write";
            case ADMIN -> "@dangerous";
            case NONE, TOKEN -> "@connection";
        };
        text.set(1).status(category).array(0).set(firstKey == 0 ? 0 : 1);
        if (firstKey != 0) {
            text.map(3).bulks("flags").set(1).status(right == Right.READ ? "RO" : "RW");
            text.bulks("begin_search")
                    .map(2)
                    .bulks("type", "index", "spec")
                    .map(1)
                    .bulks("index");
            text.number(firstKey)
                    .bulks("find_keys")
                    .map(2)
                    .bulks("type", "range", "spec")
                    .map(3);
            text.bulks("lastkey").number(lastKey < 0 ? lastKey : lastKey - firstKey);
            text.bulks("keystep").number(step).bulks("limit").number(0);
        }
        text.array(0); // no subcommands
    }

    /// The commands by name, found without making a string of what a client sent: open addressing over the bytes in
    /// lower case. Immutable.
    static final class Table {

        private static final int SPREAD = 31;

        private final List<CommandSpec> all;
        private final CommandSpec[] slots;
        private final byte[][] names;

        Table(List<CommandSpec> all) {
            this.all = List.copyOf(all);
            int size = Integer.highestOneBit(all.size()) * 4;
            slots = new CommandSpec[size];
            names = new byte[size][];
            for (CommandSpec spec : all) {
                byte[] name = spec.name.getBytes(StandardCharsets.US_ASCII);
                int at = hash(name) & size - 1;
                while (names[at] != null) {
                    at = at + 1 & size - 1;
                }
                slots[at] = spec;
                names[at] = name;
            }
        }

        List<CommandSpec> all() {
            return all;
        }

        @Nullable
        CommandSpec find(byte[] word) {
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
}
