package kvant.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/// The examples of docs/clients.md.
final class ClientExample {

    private ClientExample() {}

    // example: from here
    static void run(URI node, PrintStream out) {
        KvantClient client = KvantClient.of(node);
        Key ada = Key.of("user:1");
        Version version = client.put(ada, bytes("Ada"), PutOptions.defaults().when(Condition.absent()));

        // Together or not at all.
        client.write(new Batch().put(Key.of("user:2"), bytes("Charles")).delete(Key.of("user:3")));

        // Only while it is as it was, and within 2 s.
        try {
            client.within(Duration.ofSeconds(2))
                    .put(ada, bytes("Ada Lovelace"), PutOptions.defaults().when(Condition.versionIs(version)));
        } catch (KvantException.ConditionFailed e) {
            out.println("another client was first: " + e.getMessage());
        } catch (KvantException.OutcomeUnknown e) {
            out.println("read the key to find out: " + e.getMessage());
        }

        client.get(ada).ifPresent(value -> out.println(value.text()));
        try (RangeCursor users = client.range(RangeQuery.prefix(Key.of("user:")))) {
            while (users.next()) {
                out.println(users.key().text() + " " + new String(users.value(), UTF_8));
            }
        }
        client.write(new Batch().delete(ada).delete(Key.of("user:2")));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
    // example: to here

    static ClientOptions secured() {
        // options: from here
        URI node = URI.create("https://store.example:8443");
        ClientOptions options = ClientOptions.of(node).with(o -> {
            o.token = BearerToken.file(Path.of("app.token")); // read again when it changes
            o.tls = Trust.only(Path.of("ca.pem"));
            o.deadline = Duration.ofSeconds(2);
        });
        // options: to here
        return options;
    }
}
