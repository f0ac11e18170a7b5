package kvant.server.resp;

import java.nio.charset.StandardCharsets;
import java.util.List;

/// What there is to know of a command.
///
/// @param name in lower case
/// @param arity number of words with the name; negative where that is the least
/// @param firstKey index of its first key, 0 for none
/// @param lastKey index of the last one, counted from the end where negative
/// @param step from key to key
record Spec(String name, int arity, Right right, int firstKey, int lastKey, int step, Maker maker) {

    /// What a client has to be allowed to do.
    enum Right {
        NONE,
        /// Any token.
        TOKEN,
        READ,
        WRITE,
        READ_AND_WRITE
    }

    /// Makes what a command comes to of its words.
    @FunctionalInterface
    interface Maker {
        Action make(Commands commands, Session session, List<byte[]> words) throws WrongCommandException;
    }

    static Spec plain(String name, int arity, Right right, Maker maker) {
        return new Spec(name, arity, right, 0, 0, 0, maker);
    }

    static Spec ofKey(String name, int arity, Right right, Maker maker) {
        return new Spec(name, arity, right, 1, 1, 1, maker);
    }

    static Spec ofKeys(String name, int arity, Right right, int step, Maker maker) {
        return new Spec(name, arity, right, 1, -1, step, maker);
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

    byte[] bytes() {
        return name.getBytes(StandardCharsets.US_ASCII);
    }

    /// As `COMMAND` shows it.
    void describe(ReplyText text) {
        text.array(6).bulk(name).number(arity).set(right == Right.READ ? 2 : 1);
        switch (right) {
            case READ -> text.status("readonly").status("fast");
            case WRITE, READ_AND_WRITE -> text.status("write");
            case NONE -> text.status("no_auth");
            case TOKEN -> text.status("fast");
        }
        text.number(firstKey).number(lastKey).number(step);
    }
}
