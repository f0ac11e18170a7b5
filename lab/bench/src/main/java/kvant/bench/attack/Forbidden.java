package kvant.bench.attack;

import static kvant.bench.attack.swarm.SwarmStep.answer;
import static kvant.bench.attack.swarm.SwarmStep.send;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import kvant.bench.attack.swarm.Script;
import kvant.bench.attack.swarm.Tally;

/// Repeatedly sends requests that must be refused without an effect, each kind over two connections.
///
/// @param requests that write the key [#KEY] if they are executed
/// @param refusals status codes of a correct answer
record Forbidden(List<byte[]> requests, List<Integer> refusals) implements Assault {

    static final String KEY = "forbidden";

    private static final int CONNECTIONS = 2;
    private static final String PUT = "PUT /v0/entity?id=" + KEY;
    private static final String BATCH_BODY = "put " + KEY.length() + " 1\n" + KEY + "x\n";
    private static final String BATCH_LENGTH = "Content-Length: " + BATCH_BODY.length();
    private static final String FOREIGN = "rebound.example";

    /// Requests that a web page may send without a preflight request, or with a browser that does not make one.
    static final List<byte[]> FOREIGN_ORIGIN = List.of(
            batch("Content-Type: text/plain", "Origin: http://page.example"),
            batch("Content-Type: text/plain"),
            batch("Content-Type: text/plain", "Sec-Fetch-Site: cross-site"),
            put("127.0.0.1", "Origin: http://page.example"),
            put("127.0.0.1", "Sec-Fetch-Site: same-site"));

    static final List<byte[]> FOREIGN_HOST =
            List.of(put(FOREIGN), put(FOREIGN + ":8080"), Requests.headFor(FOREIGN, "GET /v0/entity?id=" + KEY));

    private static byte[] batch(String... headers) {
        List<String> lines = new ArrayList<>(List.of(headers));
        lines.add(BATCH_LENGTH);
        byte[] head = Requests.head("POST /v0/batch", lines.toArray(String[]::new));
        return Requests.joined(head, BATCH_BODY.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] put(String host, String... headers) {
        List<String> lines = new ArrayList<>(List.of(headers));
        lines.add("Content-Length: 1");
        byte[] head = Requests.headFor(host, PUT, lines.toArray(String[]::new));
        return Requests.joined(head, Requests.ascii("x"));
    }

    @Override
    public void begin(Scene scene) throws IOException {
        for (byte[] request : requests) {
            scene.swarm(CONNECTIONS, Script.of(send(request), answer()));
        }
    }

    @Override
    public List<String> complaints(Scene scene) throws IOException {
        List<String> complaints = new ArrayList<>();
        for (Tally tally : scene.tallies()) {
            if (tally.answers() == 0 || tally.answersBut(refusals.toArray(Integer[]::new)) > 0) {
                complaints.add("answered " + tally.statuses().keySet());
            }
        }
        if (scene.ask("GET", "/v0/entity?id=" + KEY, new byte[0]).status() != 404) {
            complaints.add("it was written");
        }
        return complaints;
    }
}
