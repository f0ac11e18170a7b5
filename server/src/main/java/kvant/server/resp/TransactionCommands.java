package kvant.server.resp;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import kvant.server.resp.CommandSpec.Right;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// `MULTI` and what goes with it. What is queued is made anew when `EXEC` is carried out, as one [Transaction]: what is
/// wrong with its options shows there, as in Redis, and keeps no other command from being carried out.
final class TransactionCommands {

    /// They are carried out at once behind a `MULTI`, too.
    private static final Set<String> AT_ONCE = Set.of("multi", "exec", "discard", "watch", "quit", "reset");

    /// They are about all keys, change the protocol under the replies, or have to leave the event loop.
    private static final Set<String> OUTSIDE = Set.of(
            "scan",
            "keys",
            "randomkey",
            "dbsize",
            "flushdb",
            "flushall",
            "hello",
            "auth",
            "eval",
            "eval_ro",
            "evalsha",
            "evalsha_ro",
            "script");

    private static final Reply QUEUED = Reply.Raw.of("+QUEUED\r\n");
    private static final Reply NESTED = Errors.error("ERR MULTI calls can not be nested");
    private static final Reply WATCH_INSIDE = Errors.error("ERR WATCH inside MULTI is not allowed");
    private static final Reply ABORTED = Errors.error("EXECABORT Transaction discarded because of previous errors.");
    private static final Reply WRONG_EXEC =
            Errors.error("EXECABORT Transaction discarded because of: wrong number of arguments for 'exec' command");
    private static final Reply NOT_INSIDE = Errors.error("ERR Command not allowed inside a transaction");
    private static final Reply TOO_MANY =
            Errors.error("ERR transaction of more than " + Queued.MOST + " commands or watched keys");

    private TransactionCommands() {}

    static List<CommandSpec> specs() {
        return List.of(
                CommandSpec.plain("multi", 1, Right.TOKEN, (_, session, _) -> multi(session.queued())),
                CommandSpec.plain("exec", 1, Right.TOKEN, (c, session, _) -> exec(c, session)),
                CommandSpec.plain("discard", 1, Right.TOKEN, (_, session, _) -> discard(session)),
                CommandSpec.ofKeys("watch", -2, Right.READ, 1, (_, session, words) -> watch(session.queued(), words)),
                CommandSpec.plain("unwatch", 1, Right.TOKEN, (_, session, _) -> unwatch(session)));
    }

    private static Reply multi(Queued queued) {
        if (queued.hasBegun()) {
            return NESTED;
        }
        queued.begin();
        return Reply.Plain.OK;
    }

    private static Reply discard(Session session) {
        return session.takeQueued().hasBegun() ? Reply.Plain.OK : Errors.error("ERR DISCARD without MULTI");
    }

    /// Of one that was queued, the keys are not watched any more.
    private static Reply unwatch(Session session) {
        if (!session.queued().hasBegun()) {
            session.takeQueued();
        }
        return Reply.Plain.OK;
    }

    private static Action watch(Queued queued, List<byte[]> words) {
        List<byte[]> keys = words.subList(1, words.size());
        if (queued.hasBegun()) {
            return WATCH_INSIDE;
        } else if (!queued.hasRoomFor(keys.size())) {
            queued.refuse();
            return TOO_MANY;
        }
        Queued.Watch watch = queued.watch(keys);
        return new Transaction(() -> keys, view -> {
            watch.look(view);
            return Reply.Plain.OK;
        });
    }

    // --- What is queued ---

    /// @return null for a command that is carried out at once
    static @Nullable Reply queue(CommandSpec spec, Session session, List<byte[]> words) {
        Queued queued = session.queued();
        if (!queued.hasBegun()) {
            return null;
        }
        boolean leaves = spec.name().equals("select") && !Words.is(words.get(1), "0");
        if (leaves || AT_ONCE.contains(spec.name())) {
            return null;
        }
        Reply refusal = OUTSIDE.contains(spec.name()) ? NOT_INSIDE : queued.isFull() ? TOO_MANY : null;
        if (refusal != null) {
            queued.refuse();
            return refusal;
        }
        queued.add(spec, words);
        return QUEUED;
    }

    /// A command was refused before it came to anything. Its client may have sent the rest of a transaction already,
    /// which is refused with it: also where this is the `MULTI`, or a `WATCH` that was to guard it.
    ///
    /// @param denied whether the client may not, or not now
    static Reply refused(Session session, List<byte[]> words, Reply refusal, boolean denied) {
        Queued queued = session.queued();
        byte[] name = words.getFirst();
        boolean opens = denied && session.isTrusted();
        if (opens && Words.is(name, "multi")) {
            queued.begin();
        }
        if (queued.hasBegun() || opens && Words.is(name, "watch")) {
            queued.refuse();
        }
        if (queued.hasBegun() && Words.is(name, "exec")) {
            session.takeQueued();
            return denied ? ABORTED : WRONG_EXEC;
        }
        return refusal;
    }

    private static Action exec(Commands commands, Session session) {
        Queued queued = session.takeQueued();
        if (!queued.hasBegun()) {
            return Errors.error("ERR EXEC without MULTI");
        } else if (queued.isRefused()) {
            return ABORTED;
        }
        return new Transaction(() -> keys(commands, session, queued), view -> run(commands, session, queued, view));
    }

    private static List<byte[]> keys(Commands commands, Session session, Queued queued) {
        List<byte[]> keys = new ArrayList<>();
        queued.watches().forEach(watch -> keys.addAll(watch.keys()));
        for (Queued.Entry entry : queued.entries()) {
            if (entry.spec().isAboutData()) { // others have a reply, and may change the session: once
                keys.addAll(View.reads(commands.make(entry.spec(), session, entry.words())));
            }
        }
        return keys;
    }

    private static Reply run(Commands commands, Session session, Queued queued, View view)
            throws WrongCommandException {
        for (Queued.Watch watch : queued.watches()) {
            if (!watch.hasLooked()) {
                return ABORTED; // the error was its reply
            } else if (!watch.holds(view)) {
                return Reply.Plain.NO_ARRAY;
            }
        }
        List<Reply> replies = new ArrayList<>(queued.entries().size());
        for (Queued.Entry entry : queued.entries()) {
            Reply refusal = session.scopeRefusal(entry.spec());
            replies.add(view.carryOut(refusal == null ? commands.make(entry.spec(), session, entry.words()) : refusal));
        }
        return Reply.Sequence.array(replies);
    }
}
