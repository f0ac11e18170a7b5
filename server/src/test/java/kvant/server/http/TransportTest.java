package kvant.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransportTest {

    private static final int BUFFER_BYTES = 8 << 10;

    /// Memory of event loops before a client has sent a byte.
    @ParameterizedTest
    @CsvSource({"1,1000000000,128", "4,16777216,128", "32,16777216,16", "1,1000000,16"})
    void receiveBuffersTakeAtMostAQuarterOfTheMemoryForUnreadInput(int loops, long unreadBytes, int expected) {
        int buffers = Transport.IO_URING.receiveBuffers(loops, unreadBytes);

        assertThat(buffers).isEqualTo(expected);
        assertThat((long) buffers * loops * BUFFER_BYTES).isLessThanOrEqualTo(unreadBytes / 4);
        assertThat(Transport.IO_URING.unreadBytes(loops, unreadBytes))
                .isEqualTo(unreadBytes - (long) buffers * loops * BUFFER_BYTES);
    }

    @Test
    void aLoopCanReceiveHoweverLittleMemoryThereIs() {
        assertThat(Transport.IO_URING.receiveBuffers(64, 1)).isEqualTo(8);
        assertThat(Transport.IO_URING.unreadBytes(64, 1 << 20)).isEqualTo(1 << 19);
    }

    @Test
    void otherTransportsHoldNone() {
        assertThat(Transport.EPOLL.receiveBuffers(1, 1 << 30)).isZero();
        assertThat(Transport.NIO.unreadBytes(8, 1 << 30)).isEqualTo(1 << 30);
    }
}
