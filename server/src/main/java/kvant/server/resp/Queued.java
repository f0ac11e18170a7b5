package kvant.server.resp;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import kvant.server.resp.parse.Words;
import kvant.server.service.WriteMarks;
import org.jspecify.annotations.Nullable;

/// `MULTI` and what goes with it: the commands that a connection has queued, and the keys that it watches. Queued
/// commands are parsed again when `EXEC` is carried out, as one [Action.Transaction]: wrong options are reported there,
/// as in Redis, and keep no other command from being carried out. Owned by the event loop.
public final class Queued {

    /// Commands of a transaction, and keys that are watched.
    private static final int MOST = 10_000;

    /// In the place of a version.
    private static final long UNSEEN = Long.MIN_VALUE;

    /// In the place of the version of a key without a value that was being written.
    private static final long UNSURE = View.ABSENT - WriteMarks.UNSURE;

    /// Bytes charged for a command or a word beyond its content.
    private static final int OVERHEAD_BYTES = 48;

    /// They are carried out at once behind a `MULTI`, too.
    private static final Set<String> AT_ONCE = Set.of("multi", "exec", "discard", "watch", "quit", "reset");

    /// They are about all keys, change the protocol under the replies, or have to leave the event loop.
    private static final Set<String> OUTSIDE =
            Set.of("scan", "keys", "randomkey", "dbsize", "flushdb", "flushall", "hello", "auth", "script");

    private static final Reply QUEUED = Reply.Raw.of("+QUEUED\r\n");
    private static final Reply ABORTED = Errors.error("EXECABORT Transaction discarded because of previous errors.");
    private static final Reply WRONG_EXEC =
            Errors.error("EXECABORT Transaction discarded because of: wrong number of arguments for 'exec' command");
    private static final Reply NOT_INSIDE = Errors.error("ERR Command not allowed inside a transaction");
    private static final Reply TOO_MANY =
            Errors.error("ERR transaction of more than " + MOST + " commands or watched keys");

    /// A queued command.
    ///
    /// @param refusal null if it may be carried out
    private record Entry(
            CommandSpec spec, List<byte[]> words, @Nullable Reply refusal) {}

    /// Each watched key [as its `WATCH` has found it][#seen], or [#UNSEEN]: a `WATCH` is carried out later than it is
    /// read, and an `EXEC` may have been read meanwhile.
    private final Map<ByteBuffer, Long> watched = new HashMap<>();

    private final List<Entry> entries = new ArrayList<>();
    private boolean begun;
    private boolean refused;
    private long bytes;

    Reply multi() {
        boolean nested = begun;
        begun = true;
        return nested ? Errors.error("ERR MULTI calls can not be nested") : Reply.Plain.OK;
    }

    Reply discarded() {
        return begun ? Reply.Plain.OK : Errors.error("ERR DISCARD without MULTI");
    }

    /// Of one that was queued, the keys are not watched any more.
    static Reply unwatch(Session session) {
        if (!session.queued.begun) {
            session.takeQueued();
        }
        return Reply.Plain.OK;
    }

    Action watch(Commands commands, List<byte[]> words) {
        List<byte[]> keys = words.subList(1, words.size());
        if (begun) {
            return Errors.error("ERR WATCH inside MULTI is not allowed");
        } else if (watched.size() + keys.size() > MOST) {
            refuse();
            return TOO_MANY;
        }
        keys.forEach(key -> watched.putIfAbsent(ByteBuffer.wrap(key), UNSEEN));
        bytes += bytesOf(keys);
        long[] before = new long[keys.size()];
        return new Action.Transaction(
                () -> {
                    Arrays.setAll(before, i -> commands.marks().of(keys.get(i)));
                    return keys;
                },
                view -> {
                    for (int i = 0; i < before.length; i++) {
                        byte[] key = keys.get(i);
                        watched.replace(ByteBuffer.wrap(key), UNSEEN, seen(view, key, before[i]));
                    }
                    return Reply.Plain.OK;
                });
    }

    /// The version of a key; of one without a value negative: equal ones tell that it has had none in between either.
    private static long seen(View view, byte[] key, long mark) {
        long version = view.version(key);
        return version == View.ABSENT ? View.ABSENT - mark : version;
    }

    // --- What is queued ---

    /// Refuses the transaction, because one of its commands was refused: nothing will be carried out.
    public void refuse() {
        refused = true;
        entries.clear();
        watched.clear();
        bytes = 0;
    }

    /// A command did not come as far as being one; if it was to be queued, nothing of the transaction is carried out.
    public void lost() {
        if (begun) {
            refuse();
        }
    }

    /// Its approximate memory.
    public long bytes() {
        return bytes;
    }

    private static long bytesOf(List<byte[]> words) {
        long sum = OVERHEAD_BYTES;
        for (byte[] word : words) {
            sum += OVERHEAD_BYTES + word.length;
        }
        return sum;
    }

    /// @return null for a command that is carried out at once
    @Nullable
    Reply queue(CommandSpec spec, List<byte[]> words) {
        if (!begun
                || AT_ONCE.contains(spec.name())
                || spec.name().equals("select") && !Words.is(words.get(1), "0")) { // ends the connection
            return null;
        }
        Reply refusal = OUTSIDE.contains(spec.name()) ? NOT_INSIDE : entries.size() >= MOST ? TOO_MANY : null;
        if (refusal != null) {
            refuse();
            return refusal;
        } else if (!refused) {
            entries.add(new Entry(spec, words, null));
            bytes += bytesOf(words);
        }
        return QUEUED;
    }

    /// A command was refused before it came to anything. Its client may have sent the rest of a transaction already,
    /// which is refused with it: also where this is the `MULTI`, or a `WATCH` that was to guard it.
    ///
    /// @param denied whether the client may not, or not now
    static Reply refused(Session session, List<byte[]> words, Reply refusal, boolean denied) {
        Queued queued = session.queued;
        byte[] name = words.getFirst();
        boolean opens = denied && session.isTrusted();
        queued.begun |= opens && Words.is(name, "multi");
        if (queued.begun || opens && Words.is(name, "watch")) {
            queued.refuse();
        }
        if (queued.begun && Words.is(name, "exec")) {
            session.takeQueued();
            return denied ? ABORTED : WRONG_EXEC;
        }
        return refusal;
    }

    // --- What is carried out ---

    Action exec(Commands commands, Session session) {
        if (!begun) {
            return Errors.error("ERR EXEC without MULTI");
        } else if (refused) {
            return ABORTED;
        }
        boolean scripted = entries.stream().anyMatch(entry -> entry.spec.name().startsWith("eval"));
        Executor worker = scripted ? commands.scripts().workers() : null;
        return new Action.Transaction(() -> keys(commands, session), view -> run(commands, session, view), worker);
    }

    /// Of what may be carried out: what its client may do by now is looked at once, and here.
    private List<byte[]> keys(Commands commands, Session session) {
        entries.replaceAll(entry -> new Entry(entry.spec, entry.words, session.scopeRefusal(entry.spec)));
        List<byte[]> keys = new ArrayList<>();
        watched.keySet().forEach(name -> keys.add(name.array()));
        for (Entry entry : entries) {
            if (entry.refusal == null && !entry.spec.right().scopes.isEmpty()) { // others may change the session
                View.reads(commands.make(entry.spec, session, entry.words), keys);
            }
        }
        return keys;
    }

    private Reply run(Commands commands, Session session, View view) throws WrongCommandException {
        for (Map.Entry<ByteBuffer, Long> watch : watched.entrySet()) {
            byte[] key = watch.getKey().array();
            long before = watch.getValue();
            if (before == UNSEEN) {
                return ABORTED; // the error was its reply
            } else if (before == UNSURE
                    || before != seen(view, key, commands.marks().of(key))) {
                return Reply.Plain.NO_ARRAY;
            }
        }
        List<Reply> replies = new ArrayList<>(entries.size());
        for (Entry entry : entries) {
            Reply refusal = entry.refusal;
            replies.add(refusal == null ? view.attempt(commands.make(entry.spec, session, entry.words)) : refusal);
        }
        return Reply.Sequence.array(replies);
    }
}
