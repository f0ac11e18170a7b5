package kvant.server.resp;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import kvant.server.http.contract.Problem;
import kvant.server.request.Outcome;
import kvant.server.request.Precondition;
import kvant.server.request.Request;
import kvant.server.resp.parse.Words;
import org.jspecify.annotations.Nullable;

/// The commands of keys and values: words to what is asked of the node. See docs/resp.md.
///
/// Shared by the connections of a node; any thread may call.
public final class Commands {

    private static final Table TABLE = new Table(specs());

    // Constant.
    private final InstantSource clock;
    private final Hidden hidden;
    private final Cursors cursors;
    private final Facts facts;
    private final int maxKeyBytes;

    public Commands(InstantSource clock, Hidden hidden, Cursors cursors, Facts facts, int maxKeyBytes) {
        this.clock = clock;
        this.hidden = hidden;
        this.cursors = cursors;
        this.facts = facts;
        this.maxKeyBytes = maxKeyBytes;
    }

    /// What a command comes to.
    public Action action(Session session, List<byte[]> words) {
        Spec spec = TABLE.find(words.getFirst());
        if (spec == null) {
            return NotThere.reply(session, words);
        }
        if (session.refusesAll() && NotThere.refuses(session, spec)) {
            return Errors.BEHIND_MULTI;
        }
        Reply refusal = session.refusal(spec);
        if (refusal != null) {
            return refusal;
        }
        if (!spec.takes(words.size())) {
            return Errors.wrongNumber(spec.name());
        }
        try {
            checkKeys(spec, words);
            return spec.maker().make(this, session, words);
        } catch (WrongCommandException e) {
            return e.reply();
        }
    }

    /// What a client is told where a command did not come as far as the node.
    public static Reply refusal(Problem problem) {
        return Errors.of(problem);
    }

    /// What a client is told whose command was longer than the node takes.
    ///
    /// @param what is too long, for a person
    public static Reply tooLong(String what) {
        return Errors.tooLong(what);
    }

    /// What a client is told that does not speak RESP.
    ///
    /// @param what for a person
    public static Reply protocolError(String what) {
        return Errors.protocol(what);
    }

    /// Whether a command is the last one of its connection.
    public static boolean isLast(List<byte[]> words) {
        return Words.is(words.getFirst(), "quit");
    }

    /// The name of a command in capitals, or null of one that is not known.
    public static @Nullable String nameOf(List<byte[]> words) {
        Spec spec = words.isEmpty() ? null : TABLE.find(words.getFirst());
        return spec == null ? null : spec.name().toUpperCase(Locale.ROOT);
    }

    /// The key of a command that has one alone, or null. Of one with too few or too many words nobody can say which of
    /// them are keys.
    public static byte @Nullable [] onlyKeyOf(List<byte[]> words) {
        Spec spec = words.isEmpty() ? null : TABLE.find(words.getFirst());
        return spec != null && spec.takes(words.size()) && spec.keys(words.size()) == 1
                ? words.get(spec.firstKey())
                : null;
    }

    static Table table() {
        return TABLE;
    }

    Facts facts() {
        return facts;
    }

    Cursors cursors() {
        return cursors;
    }

    Hidden hidden() {
        return hidden;
    }

    int maxKeyBytes() {
        return maxKeyBytes;
    }

    private void checkKeys(Spec spec, List<byte[]> words) throws WrongCommandException {
        if (spec.firstKey() == 0) {
            return;
        }
        int last = spec.lastKeyOf(words.size());
        for (int i = spec.firstKey(); i <= last; i += spec.step()) {
            int bytes = words.get(i).length;
            if (bytes == 0 || bytes > maxKeyBytes) {
                throw new WrongCommandException(Errors.wrongKey(bytes, maxKeyBytes));
            }
        }
    }

    private static List<Spec> specs() {
        List<Spec> specs = new ArrayList<>(ConnectionCommands.specs());
        specs.add(Spec.ofKey("get", 2, Spec.Right.READ, (c, _, words) -> c.one(get(words.get(1)), Commands::value)));
        specs.add(
                Spec.ofKey("strlen", 2, Spec.Right.READ, (c, _, words) -> c.one(look(words.get(1)), Commands::length)));
        specs.add(Spec.ofKeys("exists", -2, Spec.Right.READ, 1, (c, _, words) -> c.exists(words)));
        specs.add(Spec.ofKeys("mget", -2, Spec.Right.READ, 1, (c, _, words) -> c.getAll(words)));
        specs.add(Spec.ofKey("set", -3, Spec.Right.WRITE, Commands::set));
        specs.add(Spec.ofKeys("mset", -3, Spec.Right.WRITE, 2, (c, _, words) -> c.setAll(words)));
        specs.add(Spec.ofKeys("del", -2, Spec.Right.WRITE, 1, (c, _, words) -> c.delete(words)));
        specs.add(new Spec("scan", -2, Spec.Right.READ, 0, 0, 0, (c, _, words) -> Scanning.of(c, words)));
        addOlderForms(specs);
        addTimes(specs);
        addReadsThatChange(specs);
        addNumbers(specs);
        return specs;
    }

    private static void addTimes(List<Spec> specs) {
        specs.add(left("ttl", true, false));
        specs.add(left("pttl", false, false));
        specs.add(left("expiretime", true, true));
        specs.add(left("pexpiretime", false, true));
        specs.add(expire("expire", Expiry.Unit.SECONDS));
        specs.add(expire("pexpire", Expiry.Unit.MILLIS));
        specs.add(expire("expireat", Expiry.Unit.AT_SECONDS));
        specs.add(expire("pexpireat", Expiry.Unit.AT_MILLIS));
        specs.add(Spec.ofKey("persist", 2, Spec.Right.WRITE, (_, _, words) -> Expiring.never(words.get(1), false)));
    }

    /// What `SET` does with options, under names that it had before.
    private static void addOlderForms(List<Spec> specs) {
        specs.add(setFor("setex", Expiry.Unit.SECONDS));
        specs.add(setFor("psetex", Expiry.Unit.MILLIS));
        specs.add(Spec.ofKey(
                "setnx", 3, Spec.Right.WRITE, (c, _, words) -> c.one(setAbsent(words), Commands::oneIfThere)));
        specs.add(Spec.ofKey(
                "getset",
                3,
                Spec.Right.READ_AND_WRITE,
                (_, _, words) -> new Setting(words.get(1), words.get(2), SetOptions.OLD)));
    }

    private static void addReadsThatChange(List<Spec> specs) {
        Spec.Right both = Spec.Right.READ_AND_WRITE;
        specs.add(Spec.ofKey("getex", -2, both, (c, _, words) -> c.getFor(words)));
        specs.add(Spec.ofKey("getdel", 2, both, (_, _, words) -> Expiring.taken(words.get(1))));
    }

    private static void addNumbers(List<Spec> specs) {
        Spec.Right both = Spec.Right.READ_AND_WRITE; // the reply is the value
        specs.add(Spec.ofKey("incr", 2, both, (_, _, words) -> new Counting(words.get(1), 1)));
        specs.add(Spec.ofKey("decr", 2, both, (_, _, words) -> new Counting(words.get(1), -1)));
        specs.add(Spec.ofKey("incrby", 3, both, (_, _, words) -> new Counting(words.get(1), integer(words.get(2)))));
        specs.add(Spec.ofKey("decrby", 3, both, (_, _, words) -> {
            long less = integer(words.get(2));
            if (less == Long.MIN_VALUE) {
                throw new WrongCommandException(Errors.error("ERR decrement would overflow"));
            }
            return new Counting(words.get(1), -less);
        }));
    }

    // --- Reads ---

    private static Request get(byte[] key) {
        return new Request.Get(key, Precondition.Plain.NONE);
    }

    /// That there is a value, and how long it is.
    private static Request look(byte[] key) {
        return new Request.Get(key, Precondition.Plain.NONE, Request.USUAL_ACKS, true);
    }

    private static Reply value(Outcome outcome) {
        return outcome instanceof Outcome.Found(byte[] value, long _) ? new Reply.Bulk(value) : Reply.Plain.NIL;
    }

    private static Reply length(Outcome outcome) {
        return new Reply.Number(outcome instanceof Outcome.Described(long _, int bytes) ? bytes : 0);
    }

    private static Reply oneIfThere(Outcome outcome) {
        return new Reply.Number(Several.Count.isMiss(outcome) ? 0 : 1);
    }

    private Command one(Request request, Single.Teller teller) {
        return new Single(request, teller, hidden);
    }

    private Command exists(List<byte[]> words) {
        return words.size() == 2
                ? one(look(words.get(1)), Commands::oneIfThere)
                : new Several(keys(words), Commands::look, new Several.Count(), hidden);
    }

    private Command getAll(List<byte[]> words) {
        List<byte[]> keys = keys(words);
        return new Several(keys, Commands::get, new Several.Values(keys.size()), hidden);
    }

    private static List<byte[]> keys(List<byte[]> words) {
        return words.subList(1, words.size());
    }

    /// How long a value lives, or until when.
    private static Spec left(String name, boolean seconds, boolean absolute) {
        return Spec.ofKey(
                name,
                2,
                Spec.Right.READ,
                (c, _, words) ->
                        c.one(new Request.Record(words.get(1)), outcome -> c.left(outcome, seconds, absolute)));
    }

    private Reply left(Outcome outcome, boolean seconds, boolean absolute) {
        long now = clock.millis();
        long expires = outcome instanceof Outcome.Entry entry ? entry.expiresAtMillis() : 1;
        if (expires != Request.Update.NEVER && expires <= now) {
            return new Reply.Number(-2); // there is no value
        }
        if (expires == Request.Update.NEVER) {
            return new Reply.Number(-1);
        }
        long millis = absolute ? expires : expires - now;
        // Rounded as Redis does, and right up to the latest time that there is.
        return new Reply.Number(seconds ? millis / 1000 + (millis % 1000 + 500) / 1000 : millis);
    }

    // --- Writes ---

    private static Action set(Commands c, Session session, List<byte[]> words) throws WrongCommandException {
        SetOptions options = SetOptions.of(words, c.clock.millis());
        byte[] key = words.get(1);
        byte[] value = words.get(2);
        if (options.returnsOld() && !session.mayRead()) {
            throw new WrongCommandException(Errors.notAllowed("set with get", "read"));
        }
        if (options.needsEntry()) {
            return new Setting(key, value, options);
        }
        Precondition precondition = options.onlyAbsent()
                ? Precondition.Plain.ABSENT
                : options.onlyPresent() ? Precondition.Plain.PRESENT : Precondition.Plain.NONE;
        Request request = options.isOver(c.clock.millis())
                ? Request.Update.delete(key, precondition)
                : Request.Update.put(key, value, options.expiresAtMillis(), precondition);
        return c.one(request, outcome -> Several.Count.isMiss(outcome) ? Reply.Plain.NIL : Reply.Plain.OK);
    }

    private static Spec setFor(String name, Expiry.Unit unit) {
        return Spec.ofKey(name, 4, Spec.Right.WRITE, (c, _, words) -> {
            long expires = Expiry.of(unit, words.get(2), c.clock.millis(), name);
            Request request = Request.Update.put(words.get(1), words.get(3), expires, Precondition.Plain.NONE);
            return c.one(request, _ -> Reply.Plain.OK);
        });
    }

    private static Request setAbsent(List<byte[]> words) {
        return Request.Update.put(words.get(1), words.get(2), Request.Update.NEVER, Precondition.Plain.ABSENT);
    }

    /// `GETEX`, which is `GET` where no life time is given.
    private Action getFor(List<byte[]> words) throws WrongCommandException {
        byte[] key = words.get(1);
        if (words.size() == 2) {
            return one(get(key), Commands::value);
        }
        if (words.size() == 3 && Words.is(words.get(2), "persist")) {
            return Expiring.never(key, true);
        }
        Expiry.Unit unit = Expiry.unit(words.get(2));
        if (unit == null || words.size() != 4) {
            throw new WrongCommandException(Errors.SYNTAX);
        }
        long expires = Expiry.of(unit, words.get(3), clock.millis(), "getex");
        return new Expiring(key, expires, Expiring.When.ALWAYS, true);
    }

    private Command setAll(List<byte[]> words) throws WrongCommandException {
        if (words.size() % 2 == 0) {
            throw new WrongCommandException(Errors.wrongNumber("mset"));
        }
        return one(Request.Update.puts(words, 1), _ -> Reply.Plain.OK);
    }

    private static Request deletion(byte[] key) {
        return Request.Update.delete(key, Precondition.Plain.PRESENT);
    }

    private Command delete(List<byte[]> words) {
        return words.size() == 2
                ? one(deletion(words.get(1)), Commands::oneIfThere)
                : new Several(keys(words), Commands::deletion, new Several.Count(), hidden);
    }

    private static Spec expire(String name, Expiry.Unit unit) {
        return Spec.ofKey(name, -3, Spec.Right.WRITE, (c, _, words) -> {
            Expiring.When when = Expiring.When.of(words.subList(3, words.size()));
            return new Expiring(words.get(1), Expiry.orOver(unit, words.get(2), c.clock.millis(), name), when, false);
        });
    }

    private static long integer(byte[] word) throws WrongCommandException {
        try {
            return Words.integer(word);
        } catch (Words.NotAnIntegerException _) {
            throw new WrongCommandException(Errors.NOT_AN_INTEGER);
        }
    }
}
