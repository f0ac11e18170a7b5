package kvant.server.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import kvant.engine.Mutation;
import kvant.engine.WriteBatch;
import kvant.server.request.BatchFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The body of a batch.
class BatchFormatTest {

    private static final long SEED = Long.getLong("kvant.seed", System.nanoTime());
    private static final int ROUNDS = 20_000;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            ""                          | 0  | at least one operation
            "put"                       | 0  | 'put ' or 'delete '
            "PUT 1 1~ab~"               | 0  | 'put ' or 'delete '
            "~put 1 1~ab~"              | 0  | 'put ' or 'delete '
            "put 1 1~ab"                | 10 | a line feed
            "put 1 1~ab~x"              | 11 | 'put ' or 'delete '
            "put 1 1~a"                 | 9  | a value of 1 bytes
            "put 2 1~a"                 | 8  | a key of 2 bytes
            "put 0 1~a~"                | 4  | a key of 1 to 65536 bytes
            "put 65537 1~a~"            | 4  | a key of 1 to 65536 bytes
            "put 1 99999999999~a~"      | 6  | a value of 0 to 67108864 bytes
            "put 999999999999999999999999 1~a~" | 4 | a key of 1 to 65536 bytes
            "put 01 1~ab~"              | 4  | a decimal number without leading zeros
            "put 1 01~ab~"              | 6  | a decimal number without leading zeros
            "put -1 1~ab~"              | 4  | a decimal number
            "put +1 1~ab~"              | 4  | a decimal number
            "put 1  1~ab~"              | 6  | a decimal number
            "put 1 1 ~ab~"              | 8  | a decimal number
            "put 1 1 0~ab~"             | 8  | a life time of 1 to 9000000000000000 s
            "put 1 1 9000000000000001~ab~"    | 8 | a life time of 1 to 9000000000000000 s
            "put 1 1 1234567890123456789~ab~" | 8 | a life time of 1 to 9000000000000000 s
            "put 1 1 5 ~ab~"            | 9  | a line feed
            "put 1~ab~"                 | 5  | a space
            "delete 1 ~a~"              | 8  | a line feed
            "delete 1~ab~"              | 10 | a line feed
            "delete 1~a"                | 10 | a line feed
            "delete~a~"                 | 0  | 'put ' or 'delete '
            """)
    void whatIsNotExactlyInTheFormatIsRefusedWithItsOffset(String body, int offset, String expected) {
        assertThatThrownBy(() -> read(body.replace('~', '\n')))
                .isInstanceOf(BatchFormat.MalformedException.class)
                .hasMessageStartingWith("at offset " + offset + " of the batch: " + expected);
    }

    @Test
    void operationsAreBounded() throws Exception {
        String one = "delete 1\nk\n";
        assertThat(read(one.repeat(BatchFormat.MAX_OPERATIONS)).mutations()).hasSize(BatchFormat.MAX_OPERATIONS);
        assertThatThrownBy(() -> read(one.repeat(BatchFormat.MAX_OPERATIONS + 1)))
                .hasMessageContaining("no more than 10000 operations");
    }

    /// Written batches are read back the same; changed ones are refused, or read as other valid batches.
    @Test
    void mutatedBatchesAreRefusedOrReadAsWhatTheySay() throws Exception {
        Random random = new Random(SEED);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] body = randomBatch(random);
            assertThat(write(BatchFormat.read(body, seconds -> seconds)))
                    .as("seed " + SEED + ", round " + round)
                    .isEqualTo(body);
            byte[] changed = body.clone();
            changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
            byte[] cut = Arrays.copyOf(changed, changed.length - random.nextInt(2));
            try {
                assertThat(write(BatchFormat.read(cut, seconds -> seconds)))
                        .as("seed " + SEED + ", round " + round)
                        .isEqualTo(cut);
            } catch (BatchFormat.MalformedException e) {
                assertThat(e.getMessage()).startsWith("at offset ");
            }
        }
    }

    private static byte[] randomBatch(Random random) {
        List<Mutation> mutations = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            byte[] key = new byte[1 + random.nextInt(12)];
            random.nextBytes(key);
            byte[] value = new byte[random.nextInt(30)];
            random.nextBytes(value);
            long ttl = random.nextInt(3) == 0 ? 1 + random.nextInt(1000) : Mutation.Put.NEVER;
            mutations.add(random.nextInt(3) == 0 ? new Mutation.Delete(key) : new Mutation.Put(key, value, ttl));
        }
        return write(WriteBatch.of(mutations));
    }

    /// The one way to write a batch, so that reading and writing must be each other's inverse.
    private static byte[] write(WriteBatch batch) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Mutation mutation : batch.mutations()) {
            switch (mutation) {
                case Mutation.Put(byte[] key, byte[] value, long ttl) -> {
                    String life = ttl == Mutation.Put.NEVER ? "" : " " + ttl;
                    out.writeBytes(("put " + key.length + " " + value.length + life + "\n")
                            .getBytes(StandardCharsets.US_ASCII));
                    out.writeBytes(key);
                    out.writeBytes(value);
                }
                case Mutation.Delete(byte[] key) -> {
                    out.writeBytes(("delete " + key.length + "\n").getBytes(StandardCharsets.US_ASCII));
                    out.writeBytes(key);
                }
            }
            out.write('\n');
        }
        return out.toByteArray();
    }

    private static WriteBatch read(String body) throws BatchFormat.MalformedException {
        return BatchFormat.read(body.getBytes(StandardCharsets.ISO_8859_1), seconds -> seconds);
    }
}
