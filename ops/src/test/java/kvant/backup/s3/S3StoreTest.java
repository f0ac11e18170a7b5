package kvant.backup.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.backup.ObjectStore;
import kvant.backup.ObjectStoreContract;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Backups over the protocol of S3, against a server of it from PyPI. Where that cannot be had, this is
/// skipped and says so.
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class S3StoreTest extends ObjectStoreContract {

    private static final int PAGE = 20;
    private static final AtomicInteger PREFIXES = new AtomicInteger();

    private static @Nullable S3Server server;
    private static URI endpoint = URI.create("http://127.0.0.1:1");

    @BeforeAll
    static void start() throws Exception {
        server = S3Server.start("backups");
        endpoint = server.endpoint();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    protected S3Store open() {
        return S3Store.open("s3://backups/node-" + PREFIXES.incrementAndGet() + "/store", endpoint, PAGE);
    }

    /// Between the look at a lock and its replacement another one may have taken it over.
    @Test
    void whatIsAnotherOnesByNowIsNotReplaced() throws Exception {
        try (S3Store store = open()) {
            byte[] left = "left".getBytes(StandardCharsets.UTF_8);
            store.create("lock", left);
            String tag = Objects.requireNonNull(store.tag("lock", left));
            store.put("lock", "another's".getBytes(StandardCharsets.UTF_8));

            assertThat(store.replaceTagged("lock", tag, left)).isFalse();

            try (InputStream in = store.get("lock")) {
                assertThat(in).hasContent("another's");
            }
            store.delete("lock");
            assertThat(store.replaceTagged("lock", tag, left)).isFalse();
        }
    }

    @Test
    void whatTheServerRefusesIsOneLine() {
        try (ObjectStore store = S3Store.open("s3://no-such-bucket/here", endpoint)) {
            assertThatThrownBy(() -> store.list("files"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("s3://no-such-bucket/here/files: the server answered 404 NoSuchBucket");
        }
    }

    @Test
    void aServerThatIsNotThereIsOneLine() {
        try (ObjectStore store = S3Store.open("s3://backups/here", URI.create("http://127.0.0.1:1"))) {
            assertThatThrownBy(() -> store.list("files"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("s3://backups/here/files: ")
                    .hasMessageContaining("onnect");
        }
    }

    @Test
    void aPlaceIsABucketAndAPrefix() {
        for (String url : List.of("s3://", "s3:///store", "s3://B", "s3://backups/a b", "s3://backups/../x?y")) {
            assertThatThrownBy(() -> S3Store.open(url, endpoint))
                    .as(url)
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("s3://BUCKET/PREFIX");
        }
    }
}
