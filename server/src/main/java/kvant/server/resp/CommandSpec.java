package kvant.server.resp;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import kvant.server.access.Scope;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// What there is to know of a command.
///
/// @param name in lower case
/// @param arity number of words with the name; negative if that is the least
/// @param firstKey index of its first key, 0 for none
/// @param lastKey index of the last one, counted from the end where negative
/// @param step from key to key
record CommandSpec(String name, int arity, Right right, int firstKey, int lastKey, int step, Maker maker) {

    /// What a client has to be allowed to do, and how `COMMAND` shows it.
    enum Right {
        NONE("~1 +no_auth", "@connection"),
        /// Any token.
        TOKEN("~1 +fast", "@connection"),
        READ("~2 +readonly +fast", "@read", Scope.READ),
        WRITE("~1 +write", "@write", Scope.WRITE),
        READ_AND_WRITE("~1 +write", "@write", Scope.READ, Scope.WRITE),
        /// For commands that change all stored data.
        ADMIN("~1 +write", "@dangerous", Scope.ADMIN);

        private final String flags;
        private final String category;
        final List<Scope> scopes;

        Right(String flags, String category, Scope... scopes) {
            this.flags = flags;
            this.category = category;
            this.scopes = List.of(scopes);
        }
    }

    /// Creates the action of a command from its words.
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

    /// Whether it reads or changes stored data.
    boolean isAboutData() {
        return !right.scopes.isEmpty();
    }

    boolean takes(int words) {
        return arity < 0 ? words >= -arity : words == arity;
    }

    /// The index of its last key among this many words.
    int lastKeyOf(int words) {
        return lastKey < 0 ? words + lastKey : lastKey;
    }

    /// Writes its entry in the reply of `COMMAND`.
    void describe(ReplyText text) {
        text.add("*10 $" + name + " :" + arity + " " + right.flags + " :" + firstKey + " :" + lastKey + " :" + step);
        text.add("~1 +" + right.category + " *0");
        if (firstKey == 0) {
            text.add("~0");
        } else {
            text.add("~1 %3 $flags ~1 " + (right == Right.READ ? "+RO" : "+RW"));
            text.add("$begin_search %2 $type $index $spec %1 $index :" + firstKey);
            text.add("$find_keys %2 $type $range $spec %3 $lastkey :" + (lastKey < 0 ? lastKey : lastKey - firstKey));
            text.add("$keystep :" + step + " $limit :0");
        }
        text.add("*0"); // no subcommands
    }

    /// The commands by name, found without making a string of what a client sent: by its length, then one by one.
    static final class Table {

        private final List<CommandSpec> all;
        private final CommandSpec[][] byLength;

        Table(Stream<List<CommandSpec>> all) {
            this.all = all.flatMap(List::stream).toList();
            int longest =
                    this.all.stream().mapToInt(spec -> spec.name.length()).max().orElse(0);
            byLength = IntStream.rangeClosed(0, longest)
                    .mapToObj(length -> this.all.stream()
                            .filter(spec -> spec.name.length() == length)
                            .toArray(CommandSpec[]::new))
                    .toArray(CommandSpec[][]::new);
        }

        List<CommandSpec> all() {
            return all;
        }

        @Nullable
        CommandSpec find(byte[] word) {
            if (word.length < byLength.length) {
                for (CommandSpec spec : byLength[word.length]) {
                    if (Words.is(word, spec.name)) {
                        return spec;
                    }
                }
            }
            return null;
        }
    }
}
