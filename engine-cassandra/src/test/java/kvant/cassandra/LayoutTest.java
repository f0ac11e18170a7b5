package kvant.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// Which partition has which key: fixed for ever, and even.
class LayoutTest {

    /// If this fails, stores that exist have lost their keys: give the layout a new version instead.
    @Test
    void theBucketOfAKeyNeverChanges() {
        Layout layout = new Layout(64, 3);
        assertThat(layout.bucketOf(key("a"))).isEqualTo(GOLDEN_A);
        assertThat(layout.bucketOf(key("key00000042"))).isEqualTo(GOLDEN_KEY);
        assertThat(new Layout(7, 3).bucketOf(new byte[] {0, -1, 127})).isEqualTo(GOLDEN_ODD);
    }

    @Test
    void keysThatCountUpFillEveryBucketAlike() {
        Layout layout = new Layout(64, 3);
        int[] counts = new int[64];
        for (int i = 0; i < 64_000; i++) {
            counts[layout.bucketOf(key("key" + i))]++;
        }
        for (int count : counts) {
            assertThat(count).isBetween(850, 1150);
        }
    }

    private static final int GOLDEN_A = 32;
    private static final int GOLDEN_KEY = 9;
    private static final int GOLDEN_ODD = 0;

    private static byte[] key(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
