package kvant.prove.history;

import java.util.ArrayList;
import java.util.List;
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

    RespHistoryClient(HistoryRun run, int number) {
        super(run, number, Life::resp);
    }

    @Override
    Request next(RawConnection wire) {
        int key = random.nextInt(Keys.COUNT);
        Cell seen = known(key);
        return switch ((Integer) random.nextInt(100)) {
            case Integer drawn when drawn < 30 -> get(wire, key);
            case Integer drawn when drawn < 35 -> set(wire, fresh(key), List.of());
            case Integer drawn when drawn < 42 -> set(wire, fresh(key), List.of(new Cell(key, Cell.ABSENT)), "NX");
            case Integer drawn when drawn < 46 -> set(wire, fresh(key), List.of(new Cell(key, Cell.PRESENT)), "XX");
            case Integer drawn
            when drawn < 56 && !seen.isAbsent() -> set(wire, fresh(key), List.of(seen), "IFEQ", seen.bytes());
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
            others++;
            return text.matches("(TRYAGAIN|EXECABORT|BUSY).*") ? null : asked;
        });
    }

    private Request get(RawConnection wire, int key) {
        Operation asked = Operation.asked("GET", List.of());
        wire.resp("GET", Keys.name(key));
        return request(asked, 1, said -> asked.done(0, cell(key, said.getFirst())));
    }

    private Request set(RawConnection wire, Cell cell, List<Cell> conditions, Object... options) {
        List<Object> words = new ArrayList<>(List.of("SET", cell.name(), cell.bytes()));
        words.addAll(List.of(options));
        wire.resp(words.toArray());
        return written(Operation.asked("SET", conditions, cell));
    }

    /// No reply says that a condition did not hold.
    private Request written(Operation asked) {
        return request(asked, 1, said -> said.getFirst() == null ? asked.refused() : asked.done(0));
    }

    /// Sets or deletes, and says what was there.
    private Request swapped(RawConnection wire, Cell cell) {
        Operation asked = Operation.asked(cell.isAbsent() ? "GETDEL" : "SET GET", List.of(), cell);
        RawConnection _ =
                cell.isAbsent() ? wire.resp("GETDEL", cell.name()) : wire.resp("SET", cell.name(), cell.bytes(), "GET");
        return request(asked, 1, said -> asked.done(0, cell(cell.key(), said.getFirst())));
    }

    /// `MSET`, or a script that changes a key that is as this client knows it, and another one with it.
    private Request several(RawConnection wire) {
        List<Integer> keys = Keys.some(random);
        Cell seen = known(keys.getFirst());
        Cell one = fresh(keys.getFirst());
        Cell two = fresh(keys.get(1));
        if (seen.isAbsent() || random.nextBoolean()) {
            wire.resp("MSET", one.name(), one.bytes(), two.name(), two.bytes());
            return written(Operation.asked("MSET", List.of(), one, two));
        }
        wire.resp("EVAL", SWAP, 2, one.name(), two.name(), seen.bytes(), one.bytes(), two.bytes());
        return written(Operation.asked("EVAL", List.of(seen), one, two));
    }

    /// Of a group: reads of one moment; reads and writes; or writes under the condition that keys are as they were when
    /// this looked, before.
    private Request transaction(RawConnection wire) {
        int kind = random.nextInt(3);
        boolean watches = kind == 2;
        List<Integer> reads = kind == 0 ? Keys.of(Keys.group(random)) : Keys.some(random);
        List<Cell> writes =
                kind == 0 ? List.of() : reads.stream().map(this::freshOrAbsent).toList();
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
            RawConnection _ =
                    write.isAbsent() ? wire.resp("DEL", write.name()) : wire.resp("SET", write.name(), write.bytes());
        }
        wire.resp("EXEC");
        Operation asked = Operation.asked(watches ? "EXEC WATCH" : "EXEC", List.of(), writes.toArray(Cell[]::new));
        int count = reads.size();
        return request(asked, 2 + count * (watches ? 2 : 1) + writes.size(), said -> {
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
        int value = reply instanceof byte[] bytes ? Values.number(bytes) : Values.UNKNOWN;
        return saw(key, reply == null ? Cell.ABSENT : value);
    }
}
