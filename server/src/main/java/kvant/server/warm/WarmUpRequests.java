package kvant.server.warm;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The requests of a warm-up: of every operation, most of them gets and puts, in an order that repeats itself.
final class WarmUpRequests {

    private static final int KEYS = 512;
    private static final String VALUE = "a value of the warm-up, 30 B...";
    private static final String BATCH = "put 2 1\nw1a\ndelete 2\nw1\n";

    private final String token;
    private final List<byte[]> all = new ArrayList<>();
    private int next;

    /// @param token sent where the node asks for one, and where it does not
    WarmUpRequests(String token) {
        this.token = token;
        for (int key = 0; key < KEYS; key++) {
            String entity = "/v0/entity?id=warm-up-" + key;
            add("PUT", entity, "", VALUE);
            add("GET", entity, "", "");
            add("PUT", entity, "", VALUE);
            add("GET", entity, "", "");
            add("GET", "/v0/entity?id=absent-" + key, "", "");
            switch (key % 8) {
                case 0 -> add("DELETE", entity, "", "");
                case 1 -> add("PUT", entity, "If-None-Match: *\r\n", VALUE);
                case 2 -> add("GET", "/v0/entities?start=w&end=x&limit=100", "", "");
                case 3 -> add("POST", "/v0/batch", "Content-Type: application/vnd.kvant.batch\r\n", BATCH);
                case 4 -> add("GET", entity, "If-None-Match: *\r\n", "");
                case 5 -> add("PUT", entity, "", VALUE.repeat(40));
                default -> add("GET", entity, "", "");
            }
        }
    }

    byte[] next() {
        byte[] request = all.get(next);
        next = (next + 1) % all.size();
        return request;
    }

    private void add(String method, String target, String more, String body) {
        all.add((method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token
                        + "\r\nContent-Length: " + body.length() + "\r\n" + more + "\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII));
    }
}
