package kvant.prove.history;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.lab.run.RawConnection;
import kvant.prove.history.Lives.Life;
import kvant.prove.history.Operation.Cell;
import org.jspecify.annotations.Nullable;

/// Commands of Redis: reads and writes of one key, `MSET`, transactions with and without `WATCH`, scripts.
final class RespHistoryClient extends HistoryClient {

    private static final String SWAP =
            "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('set', KEYS[1], ARGV[2]) "
                    + "redis.call('set', KEYS[2], ARGV[3]) return 1 end return nil";

    /// What replies say, of which the last one is no failure.
    private interface Judge {
        @Nullable
        Operation of(List<@Nullable Object> replies);
    }

    RespHistoryClient(Lives lives, AtomicInteger left, AtomicInteger values, Random random) {
        super(lives, left, values, random);
    }

    @Override
    InetSocketAddress address(Life life) {
        return life.resp();
    }

    @Override
    Request next(RawConnection wire) {
        int key = random.nextInt(Keys.COUNT);
        List<Cell> as = List.of(new Cell(key, known[key]));
        return switch ((Integer) random.nextInt(100)) {
            case Integer drawn when drawn < 30 -> get(wire, key);
            case Integer drawn when drawn < 35 -> set(wire, fresh(key), List.of());
            case Integer drawn when drawn < 42 -> set(wire, fresh(key), List.of(new Cell(key, Cell.ABSENT)), "NX");
            case Integer drawn when drawn < 46 -> set(wire, fresh(key), List.of(new Cell(key, Cell.PRESENT)), "XX");
            case Integer drawn
            when drawn < 56 && known[key] != Cell.ABSENT -> set(wire, fresh(key), as, "IFEQ", Values.bytes(known[key]));
            case Integer drawn when drawn < 70 -> swapped(wire, freshOrAbsent(key));
            case Integer drawn when drawn < 78 -> several(wire);
            default -> transaction(wire);
        };
    }

    /// @param replies that it has
    private Request request(Operation asked, int replies, Judge judge) {
        return new Request(asked, connection -> {
            List<@Nullable Object> said = new ArrayList<>();
            while (said.size() < replies) {
                said.add(connection.reply());
            }
            if (!(said.getLast() instanceof RawConnection.Failure(String text))) {
                return judge.of(said);
            }
            other();
            return text.matches("(TRYAGAIN|EXECABORT|BUSY).*") ? null : asked;
        });
    }

    private Request get(RawConnection wire, int key) {
        Operation asked = Operation.asked("GET", List.of());
        wire.resp("GET", Keys.name(key));
        return request(asked, 1, said -> asked.done(0, cell(key, said.getFirst())));
    }

    private Request set(RawConnection wire, Cell cell, List<Cell> conditions, Object... options) {
        Operation asked = Operation.asked("SET", conditions, cell);
        List<Object> words = new ArrayList<>(List.of("SET", Keys.name(cell.key()), Values.bytes(cell.value())));
        words.addAll(List.of(options));
        wire.resp(words.toArray());
        return request(asked, 1, said -> said.getFirst() == null ? asked.refused() : asked.done(0));
    }

    /// Sets or deletes, and says what was there.
    private Request swapped(RawConnection wire, Cell cell) {
        String name = Keys.name(cell.key());
        Operation asked = Operation.asked(cell.value() == Cell.ABSENT ? "GETDEL" : "SET GET", List.of(), cell);
        RawConnection _ = cell.value() == Cell.ABSENT
                ? wire.resp("GETDEL", name)
                : wire.resp("SET", name, Values.bytes(cell.value()), "GET");
        return request(asked, 1, said -> asked.done(0, cell(cell.key(), said.getFirst())));
    }

    /// `MSET`, or a script that changes a key that is as this client knows it, and another one with it.
    private Request several(RawConnection wire) {
        List<Integer> keys = Keys.some(random);
        int first = keys.getFirst();
        Cell one = fresh(first);
        Cell two = fresh(keys.get(1));
        byte[] oneValue = Values.bytes(one.value());
        byte[] twoValue = Values.bytes(two.value());
        if (known[first] == Cell.ABSENT || random.nextBoolean()) {
            Operation asked = Operation.asked("MSET", List.of(), one, two);
            wire.resp("MSET", Keys.name(first), oneValue, Keys.name(two.key()), twoValue);
            return request(asked, 1, _ -> asked.done(0));
        }
        Operation asked = Operation.asked("EVAL", List.of(new Cell(first, known[first])), one, two);
        wire.resp(
                "EVAL",
                SWAP,
                2,
                Keys.name(first),
                Keys.name(two.key()),
                Values.bytes(known[first]),
                oneValue,
                twoValue);
        return request(asked, 1, said -> said.getFirst() == null ? asked.refused() : asked.done(0));
    }

    /// Of a group: reads of one moment; reads and writes; or writes under the condition that keys are as they were when
    /// this looked, before.
    private Request transaction(RawConnection wire) {
        int kind = random.nextInt(3);
        List<Integer> reads = kind == 0 ? Keys.of(Keys.group(random)) : Keys.some(random);
        Cell[] writes = kind == 0
                ? new Cell[0]
                : reads.stream().map(this::freshOrAbsent).toArray(Cell[]::new);
        boolean watches = kind == 2;
        if (watches) {
            reads.forEach(key -> wire.resp("WATCH", Keys.name(key)));
        } else {
            wire.resp("MULTI");
        }
        reads.forEach(key -> wire.resp("GET", Keys.name(key)));
        if (watches) {
            wire.resp("MULTI");
        }
        for (Cell write : writes) {
            String name = Keys.name(write.key());
            RawConnection _ = write.value() == Cell.ABSENT
                    ? wire.resp("DEL", name)
                    : wire.resp("SET", name, Values.bytes(write.value()));
        }
        wire.resp("EXEC");
        Operation asked = Operation.asked(watches ? "EXEC WATCH" : "EXEC", List.of(), writes);
        int count = reads.size();
        return request(asked, 2 + count * (watches ? 2 : 1) + writes.length, said -> {
            if (!(said.getLast() instanceof List<?> executed)) {
                return null; // a key has changed since it was watched, perhaps before it was read
            }
            List<?> found = watches ? said.subList(count, 2 * count) : executed;
            Cell[] cells = new Cell[count];
            for (int i = 0; i < count; i++) {
                cells[i] = cell(reads.get(i), found.get(i));
            }
            return asked.done(0, cells);
        });
    }

    private Cell cell(int key, @Nullable Object reply) {
        return saw(
                key,
                reply == null ? Cell.ABSENT : reply instanceof byte[] bytes ? Values.number(bytes) : Values.UNKNOWN);
    }
}
