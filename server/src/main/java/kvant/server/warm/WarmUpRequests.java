package kvant.server.warm;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// The requests of a warm-up: of every operation, most of them gets and puts, in an order that repeats itself.
final class WarmUpRequests {

    private static final int KEYS = 512;
    private static final String VALUE = "a value of the warm-up, 30 B...";
    private static final String BATCH = "put 2 1\nw1a\ndelete 2\nw1\n";

    private final List<byte[]> all = new ArrayList<>();
    private int next;

    /// @param token sent where the node asks for one, and where it does not
    WarmUpRequests(String token) {
        Head head = new Head(token);
        for (int key = 0; key < KEYS; key++) {
            String entity = "/v0/entity?id=warm-up-" + key;
            head.add(all, "PUT", entity, "", VALUE);
            head.add(all, "GET", entity, "", "");
            head.add(all, "PUT", entity, "", VALUE);
            head.add(all, "GET", entity, "", "");
            head.add(all, "GET", "/v0/entity?id=absent-" + key, "", "");
            switch (key % 8) {
                case 0 -> head.add(all, "DELETE", entity, "", "");
                case 1 -> head.add(all, "PUT", entity, "If-None-Match: *\r\n", VALUE);
                case 2 -> head.add(all, "GET", "/v0/entities?start=w&end=x&limit=100", "", "");
                case 3 -> head.add(all, "POST", "/v0/batch", "Content-Type: application/vnd.kvant.batch\r\n", BATCH);
                case 4 -> head.add(all, "GET", entity, "If-None-Match: *\r\n", "");
                case 5 -> head.add(all, "PUT", entity, "", VALUE.repeat(40));
                default -> head.add(all, "GET", entity, "", "");
            }
        }
    }

    byte[] next() {
        byte[] request = all.get(next);
        next = (next + 1) % all.size();
        return request;
    }

    /// What all of them have.
    private record Head(String token) {

        private void add(List<byte[]> to, String method, String target, String more, String body) {
            to.add((method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token
                            + "\r\nContent-Length: " + body.length() + "\r\n" + more + "\r\n" + body)
                    .getBytes(StandardCharsets.US_ASCII));
        }
    }
}
