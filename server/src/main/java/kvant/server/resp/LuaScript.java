package kvant.server.resp;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaError;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Prototype;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.compiler.LuaC;
import org.luaj.vm2.lib.BaseLib;
import org.luaj.vm2.lib.MathLib;
import org.luaj.vm2.lib.PackageLib;
import org.luaj.vm2.lib.StringLib;
import org.luaj.vm2.lib.TableLib;
import org.luaj.vm2.lib.VarArgFunction;

/// A compiled script in Lua, and its sandbox: the script reaches only the names listed here, so that it opens no
/// file, no socket and no class, and nothing of a run outlives it. Library functions that take memory or time without
/// an instruction are charged or reimplemented. Patterns are left out, because one can take hours.
///
/// Any thread but an event loop may run it.
record LuaScript(Prototype prototype, String sha) {

    private static final String FUNCTIONS =
            "assert error ipairs next pairs rawequal rawget rawset select setmetatable tonumber type";
    private static final String MATHS =
            "abs acos asin atan ceil cos deg exp floor fmod frexp huge ldexp log max min modf pi pow rad sin sqrt tan";
    private static final String TABLES = "insert remove sort";
    private static final String STRINGS = "len lower upper reverse sub";
    private static final int MOST_UNPACKED = 8000;
    private static final int MAX_NESTED = 32;
    private static final int SLOT_BYTES = 32;
    private static final LuaString EMPTY = LuaString.valueOf("");

    /// The string functions that a script calls as methods.
    private static final ScopedValue<LuaTable> STRING = ScopedValue.newInstance();

    private static final Globals LIBRARY = new Globals();

    static {
        LIBRARY.load(new BaseLib());
        LIBRARY.load(new PackageLib());
        LIBRARY.load(new TableLib());
        LIBRARY.load(new StringLib());
        LIBRARY.load(new MathLib());
        LuaTable methods = new LuaTable();
        methods.set(LuaValue.INDEX, function(of -> STRING.get().get(of.arg(2))));
        LuaString.s_metatable = methods; // not to be had by a script: there is no getmetatable
    }

    static String sha(byte[] source) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(source));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static LuaScript compile(byte[] source, String sha) throws WrongCommandException {
        try {
            return new LuaScript(LuaC.instance.compile(new ByteArrayInputStream(source), "@user_script"), sha);
        } catch (LuaError | IOException | IndexOutOfBoundsException | StackOverflowError e) {
            throw new WrongCommandException("ERR Error compiling script (new function): " + e.getMessage());
        }
    }

    /// @param host carries out a command, with an error where it cannot
    /// @param meter bounds it, and the scripts that ran with it before
    Reply run(
            List<byte[]> keys,
            List<byte[]> arguments,
            Function<List<byte[]>, Reply> host,
            boolean resp3,
            LuaMeter meter)
            throws WrongCommandException {
        Run run = new Run(meter, host);
        meter.begin();
        try {
            Globals globals = run.globals(keys, arguments);
            LuaTable string = globals.get("string").checktable();
            LuaClosure main = new LuaClosure(prototype, globals);
            LuaValue result = ScopedValue.where(STRING, string).call(main::call);
            ReplyText text = new ReplyText(resp3);
            run.write(result, text, 0);
            return text.reply();
        } catch (LuaError e) {
            LuaValue thrown = what(e);
            LuaValue error = thrown.istable() ? thrown.rawget("err") : LuaValue.NIL;
            throw failed(error.isstring() ? error.tojstring() : "ERR " + thrown.tojstring());
        } catch (LuaMeter.Stopped e) {
            throw failed("ERR script stopped, nothing was written: " + e.getMessage());
        } catch (RuntimeException | StackOverflowError e) { // of the library
            throw failed("ERR script failed, nothing was written: " + e);
        }
    }

    private WrongCommandException failed(String why) {
        return new WrongCommandException(why + " script: " + sha + ", on @user_script.");
    }

    /// The thrown value: a table or, with the place in the script, a text.
    private static LuaValue what(LuaError e) {
        LuaValue thrown = e.getMessageObject();
        if (thrown == null || !thrown.isstring()) {
            return thrown == null ? LuaValue.NIL : thrown;
        }
        // The library has a sign before the name of the script, no colon behind it, and a line end.
        return LuaString.valueOf(thrown.tojstring().strip().replaceFirst("^@(user_script:\\d+) ", "$1: "));
    }

    private static LuaValue function(Function<Varargs, Varargs> body) {
        return new VarArgFunction() {
            @Override
            public Varargs invoke(Varargs arguments) {
                return body.apply(arguments);
            }
        };
    }

    private static byte[] bytes(LuaString text) {
        return Arrays.copyOfRange(text.m_bytes, text.m_offset, text.m_offset + text.m_length);
    }

    /// Formats as `%.14g` of C, except for very small numbers.
    static String digits(double number, int digits) {
        if (number == Math.rint(number) && Math.abs(number) < Math.pow(10, digits)) {
            return Long.toString((long) number);
        } else if (Double.isNaN(number) || Double.isInfinite(number)) {
            return Double.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf";
        }
        return new BigDecimal(number)
                .round(new MathContext(digits))
                .stripTrailingZeros()
                .toString()
                .replace('E', 'e');
    }

    /// A run of the script, on its thread.
    private record Run(LuaMeter meter, Function<List<byte[]>, Reply> host) {

        Globals globals(List<byte[]> keys, List<byte[]> arguments) {
            Globals globals = new Globals();
            globals.debuglib = meter;
            copy(LIBRARY, FUNCTIONS, globals);
            globals.set("pcall", function(this::protectedCall));
            globals.set("tostring", function(of -> {
                LuaValue value = LuaMeter.text(of.checkvalue(1));
                return value.isstring() ? value : LuaString.valueOf(value.tojstring());
            }));
            globals.set("unpack", function(this::unpack));
            globals.set("math", copy(LIBRARY.get("math"), MATHS, new LuaTable()));
            globals.set("table", copy(LIBRARY.get("table"), TABLES, new LuaTable()));
            globals.get("table").set("concat", function(this::concat));
            globals.set("string", strings());
            globals.set("redis", redis());
            globals.set("KEYS", list(keys));
            globals.set("ARGV", list(arguments));
            return globals;
        }

        private static LuaTable copy(LuaValue from, String names, LuaTable to) {
            for (String name : names.split(" ")) {
                to.set(name, from.get(name));
            }
            return to;
        }

        private static LuaTable list(List<byte[]> words) {
            return LuaValue.listOf(words.stream().map(LuaString::valueUsing).toArray(LuaValue[]::new));
        }

        private LuaTable strings() {
            LuaTable strings = new LuaTable();
            for (String name : STRINGS.split(" ")) {
                LuaValue plain = LIBRARY.get("string").get(name);
                strings.set(name, function(of -> plain.invoke(charged(of.arg1()), of.subargs(2))));
            }
            return strings;
        }

        private LuaString charged(LuaValue value) {
            LuaString text = LuaMeter.text(value).checkstring();
            meter.charge(text.length() + 1L);
            return text;
        }

        private Varargs concat(Varargs of) {
            LuaTable table = of.checktable(1);
            LuaString between = of.optstring(2, EMPTY);
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            int last = of.optint(4, table.length());
            for (int i = of.optint(3, 1); i <= last; i++) {
                all.writeBytes(bytes(charged(table.get(i))));
                all.writeBytes(i < last ? bytes(charged(between)) : new byte[0]);
            }
            return LuaString.valueUsing(all.toByteArray());
        }

        private Varargs unpack(Varargs of) {
            LuaTable table = of.checktable(1);
            int from = of.optint(2, 1);
            int to = of.optint(3, table.length());
            if ((long) to - from >= MOST_UNPACKED) {
                throw new LuaError("too many results to unpack");
            }
            meter.charge((long) Long.BYTES * MOST_UNPACKED);
            return table.unpack(from, to);
        }

        private Varargs protectedCall(Varargs of) {
            meter.onCall(null);
            try {
                return LuaValue.varargsOf(LuaValue.TRUE, of.arg1().invoke(of.subargs(2)));
            } catch (LuaError e) {
                return LuaValue.varargsOf(LuaValue.FALSE, what(e));
            } finally {
                meter.onReturn();
            }
        }

        // --- redis ---

        private LuaTable redis() {
            LuaTable redis = new LuaTable();
            redis.set("call", function(of -> {
                LuaValue reply = call(of);
                if (reply.istable() && !reply.rawget("err").isnil()) {
                    throw new LuaError(reply);
                }
                return reply;
            }));
            redis.set("pcall", function(this::call));
            redis.set("error_reply", function(of -> {
                String why = of.checkjstring(1);
                return field("err", why.startsWith("-") ? why.substring(1) : "ERR " + why);
            }));
            redis.set("status_reply", function(of -> field("ok", of.checkjstring(1))));
            redis.set("sha1hex", function(of -> LuaString.valueOf(sha(bytes(charged(of.arg1()))))));
            redis.set("replicate_commands", function(_ -> LuaValue.TRUE));
            redis.set("log", function(_ -> LuaValue.NONE));
            List<String> levels = List.of("LOG_DEBUG", "LOG_VERBOSE", "LOG_NOTICE", "LOG_WARNING");
            levels.forEach(level -> redis.set(level, levels.indexOf(level)));
            return redis;
        }

        private static LuaTable field(String name, String value) {
            LuaTable table = new LuaTable();
            table.set(name, value);
            return table;
        }

        private LuaValue call(Varargs of) {
            List<byte[]> words = new ArrayList<>();
            for (int i = 1; i <= of.narg(); i++) {
                words.add(word(of.arg(i)));
            }
            if (words.isEmpty()) {
                return field("err", "ERR Please specify at least one argument for this redis.call()");
            }
            return value(host.apply(words));
        }

        private LuaValue value(Reply reply) {
            return switch (reply) {
                case Reply.Plain.OK -> field("ok", "OK");
                case Reply.Plain.NIL, Reply.Plain.NO_ARRAY -> LuaValue.FALSE;
                case Reply.Number(long value) -> LuaValue.valueOf((double) value);
                case Reply.Bulk(byte[] value) -> {
                    meter.charge(value.length);
                    yield LuaString.valueOf(value);
                }
                case Reply.Sequence(List<Reply> parts) ->
                    LuaValue.listOf(parts.stream().skip(1).map(this::value).toArray(LuaValue[]::new));
                case Reply.Raw(byte[] raw, int _) -> {
                    String line = new String(raw, StandardCharsets.UTF_8).strip();
                    yield field(line.startsWith("-") ? "err" : "ok", line.substring(1));
                }
            };
        }

        private byte[] word(LuaValue value) {
            if (value.type() == LuaValue.TSTRING) {
                meter.charge(value.length());
                return bytes(value.checkstring());
            } else if (value.type() == LuaValue.TNUMBER) {
                return digits(value.todouble(), 17).getBytes(StandardCharsets.US_ASCII);
            }
            throw new LuaError("Lua redis lib command arguments must be strings or integers");
        }

        private void write(LuaValue value, ReplyText text, int depth) {
            if (depth > MAX_NESTED) {
                throw new LuaError("reached lua stack limit");
            }
            switch (value.type()) {
                case LuaValue.TNUMBER -> text.line(":" + (long) value.todouble());
                case LuaValue.TSTRING -> text.bulk(bytes(charged(value)));
                case LuaValue.TTABLE -> write(value.checktable(), text, depth);
                default -> text.add(value.isboolean() && value.toboolean() ? ":1" : "_");
            }
        }

        private void write(LuaTable table, ReplyText text, int depth) {
            LuaValue error = table.rawget("err");
            LuaValue status = table.rawget("ok");
            if (error.isstring()) {
                text.line(Errors.oneLine("-" + error.tojstring()));
            } else if (status.isstring()) {
                text.line(Errors.oneLine("+" + status.tojstring()));
            } else {
                int length = table.rawlen();
                int first = 0;
                while (first < length && !table.rawget(first + 1).isnil()) {
                    first++;
                }
                meter.charge((long) SLOT_BYTES * first);
                text.line("*" + first);
                for (int i = 1; i <= first; i++) {
                    write(table.rawget(i), text, depth + 1);
                }
            }
        }
    }
}
