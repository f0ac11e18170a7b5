package kvant.prove.history;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kvant.lab.run.RawConnection;
import kvant.lab.run.RawConnection.Answer;
import kvant.prove.history.Lives.Life;
import kvant.prove.history.Operation.Cell;
import org.jspecify.annotations.Nullable;

/// Gets, puts, deletes, conditions, batches and ranges over HTTP.
final class HttpHistoryClient extends HistoryClient {

    static final String ENTITY = "/v0/entity?id=";
    static final byte[] NONE = {};

    private static final int UNAVAILABLE = 503;

    /// Of what this client saw last of each key.
    private final long[] versions = new long[Keys.COUNT];

    HttpHistoryClient(HistoryRun run, int number) {
        super(run, number, Life::http);
    }

    @Override
    Request next(RawConnection wire) {
        int key = random.nextInt(Keys.COUNT);
        boolean isKnown = known[key] != Cell.ABSENT && versions[key] != 0;
        String version = "\"" + versions[key] + "\"";
        List<Cell> over = List.of(known(key));
        Cell absent = new Cell(key, Cell.ABSENT);
        Cell present = new Cell(key, Cell.PRESENT);
        return switch ((Integer) random.nextInt(100)) {
            case Integer drawn when drawn < 30 || drawn < 55 && !isKnown -> get(wire, known(key));
            case Integer drawn when drawn < 36 -> get(wire, known(key), "If-None-Match: " + version);
            case Integer drawn when drawn < 50 -> write(wire, fresh(key), over, "If-Match: " + version);
            case Integer drawn when drawn < 55 -> write(wire, absent, over, "If-Match: " + version);
            case Integer drawn when drawn < 60 -> write(wire, fresh(key), List.of(present), "If-Match: *");
            case Integer drawn when drawn < 66 -> write(wire, fresh(key), List.of(absent), "If-None-Match: *");
            case Integer drawn when drawn < 87 -> write(wire, freshOrAbsent(key), List.of());
            case Integer drawn when drawn < 94 -> batch(wire);
            default -> range(wire);
        };
    }

    private Request get(RawConnection wire, Cell known, String... fields) {
        int key = known.key();
        Operation asked = Operation.asked("GET", List.of());
        wire.http("GET", ENTITY + known.name(), NONE, fields);
        return new Request(asked, connection -> {
            Answer answer = connection.answer();
            return switch (answer.status()) {
                case 200 -> {
                    versions[key] = answer.version();
                    yield asked.done(answer.version(), saw(key, Values.number(answer.body())));
                }
                case 304 -> asked.done(0, known);
                case 404 -> asked.done(0, new Cell(key, Cell.ABSENT));
                default -> judged(asked, answer);
            };
        });
    }

    private Request write(RawConnection wire, Cell cell, List<Cell> conditions, String... fields) {
        Operation asked = Operation.asked(cell.isAbsent() ? "DELETE" : "PUT", conditions, cell);
        wire.http(asked.name(), ENTITY + cell.name(), cell.bytes(), fields);
        return new Request(asked, connection -> {
            Answer answer = connection.answer();
            if (answer.status() == 201) {
                versions[cell.key()] = answer.version();
                Cell _ = saw(cell.key(), cell.value());
            }
            return judged(asked, answer);
        });
    }

    /// @return null where it was not executed
    private @Nullable Operation judged(Operation asked, Answer answer) {
        int status = answer.status();
        if (status == 201 || status == 202) {
            return asked.done(answer.version());
        } else if (status == 412) {
            return asked.refused();
        }
        others++;
        boolean isNotExecuted =
                status == UNAVAILABLE && !new String(answer.body(), StandardCharsets.UTF_8).contains("writes-stopped");
        return isNotExecuted ? null : asked;
    }

    private Request batch(RawConnection wire) {
        Cell[] cells = Keys.some(random).stream().map(this::freshOrAbsent).toArray(Cell[]::new);
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (Cell cell : cells) {
            String lengths = cell.name().length() + (cell.isAbsent() ? "" : " " + cell.bytes().length);
            String head = (cell.isAbsent() ? "delete " : "put ") + lengths + "\n" + cell.name();
            body.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
            body.writeBytes(cell.bytes());
            body.write('\n');
        }
        Operation asked = Operation.asked("batch", List.of(), cells);
        wire.http("POST", "/v0/batch", body.toByteArray(), "Content-Type: application/vnd.kvant.batch");
        return new Request(asked, connection -> judged(asked, connection.answer()));
    }

    private Request range(RawConnection wire) {
        int group = Keys.group(random);
        Operation asked = Operation.asked("range", List.of());
        wire.http("GET", "/v0/entities?prefix=" + Keys.prefix(group), NONE);
        return new Request(asked, connection -> {
            Answer answer = connection.answer();
            Map<Integer, Integer> found = new HashMap<>();
            for (byte[] record : answer.chunks()) {
                String text = new String(record, StandardCharsets.ISO_8859_1);
                int end = text.indexOf('\n');
                int value = Values.number(Arrays.copyOfRange(record, end + 1, record.length));
                found.put(Keys.number(text.substring(0, Math.max(0, end))), value);
            }
            Cell[] cells = Keys.of(group).stream()
                    .map(key -> new Cell(key, found.getOrDefault(key, Cell.ABSENT)))
                    .toArray(Cell[]::new);
            return answer.status() == 200 ? asked.done(0, cells) : judged(asked, answer);
        });
    }
}
