package kvant.server.resp;

import java.io.Serial;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.Lua;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaFunction;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.lib.DebugLib;

/// Counts what a script costs, or all those of a transaction, and stops it at a bound. The interpreter tells it of each
/// call and, before
/// each instruction, which one. Memory is charged before it is allocated, and never given back. Owned by one thread.
final class LuaMeter extends DebugLib {

    /// Calls within calls; far from the end of the stack of a thread.
    private static final int MAX_DEPTH = 150;

    /// Approximate bytes of a table, a function or a slot in one.
    private static final int OBJECT_BYTES = 64;

    private static final int LOOK_AT_CLOCK = 0x1f;

    /// Ends a script: an error that `pcall` does not catch.
    static final class Stopped extends Error {

        @Serial
        private static final long serialVersionUID = 1;

        Stopped(String message) {
            super(message, null, false, false);
        }
    }

    private final ScriptLimits limits;
    private final long beganNanos = System.nanoTime();
    private final int[][] code = new int[MAX_DEPTH][];
    private final LuaValue[][] stacks = new LuaValue[MAX_DEPTH][];
    private int depth;
    private long steps;
    private long bytes;

    LuaMeter(ScriptLimits limits) {
        this.limits = limits;
    }

    /// Another script begins, which has what is left.
    void begin() {
        depth = 0;
    }

    void charge(long more) {
        bytes += more;
        if (bytes > limits.bytes() || more < 0) {
            throw new Stopped("it takes more than " + limits.bytes() + " bytes of memory");
        }
    }

    private void step() {
        if (++steps > limits.steps()) {
            throw new Stopped("it takes more than " + limits.steps() + " instructions");
        }
        if ((steps & LOOK_AT_CLOCK) == 0
                && System.nanoTime() - beganNanos > TimeUnit.MILLISECONDS.toNanos(limits.millis())) {
            throw new Stopped("it takes longer than " + limits.millis() + " ms");
        }
    }

    private void enter(int @Nullable [] instructions, LuaValue @Nullable [] stack) {
        if (depth == MAX_DEPTH) {
            throw new Stopped("it has more than " + MAX_DEPTH + " calls within calls");
        }
        code[depth] = instructions;
        stacks[depth++] = stack;
    }

    @Override
    public void onCall(@Nullable LuaFunction function) {
        enter(null, null);
    }

    @Override
    public void onCall(LuaClosure closure, Varargs arguments, LuaValue[] stack) {
        enter(closure.p.code, stack);
    }

    @Override
    public void onReturn() {
        depth--;
    }

    @Override
    public void onInstruction(int pc, Varargs arguments, int top) {
        step();
        int instruction = code[depth - 1][pc];
        switch (Lua.GET_OPCODE(instruction)) {
            case Lua.OP_CONCAT -> concat(stacks[depth - 1], Lua.GETARG_B(instruction), Lua.GETARG_C(instruction));
            case Lua.OP_NEWTABLE, Lua.OP_CLOSURE, Lua.OP_SETTABLE, Lua.OP_SETTABUP -> charge(OBJECT_BYTES);
            case Lua.OP_SETLIST -> charge((long) OBJECT_BYTES * Math.max(Lua.GETARG_B(instruction), top));
            case Lua.OP_VARARG -> charge((long) Long.BYTES * arguments.narg());
            default -> {}
        }
    }

    private void concat(LuaValue[] stack, int from, int to) {
        long length = OBJECT_BYTES;
        for (int i = from; i <= to; i++) {
            stack[i] = text(stack[i]);
            length += stack[i].isstring() ? stack[i].length() : 0;
        }
        charge(length);
    }

    /// A number as text, with 14 digits as in Lua 5.1: the library has seven.
    static LuaValue text(LuaValue value) {
        return value.type() == LuaValue.TNUMBER ? LuaString.valueOf(LuaScript.digits(value.todouble(), 14)) : value;
    }

    /// Never shown to a client, and slow to make.
    @Override
    public String traceback(int level) {
        return "";
    }
}
