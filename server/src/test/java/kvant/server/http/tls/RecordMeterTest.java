package kvant.server.http.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecordMeterTest {

    private final AtomicInteger floods = new AtomicInteger();
    private final RecordMeter meter = new RecordMeter(floods::incrementAndGet);
    private final AtomicInteger reads = new AtomicInteger();
    private final EmbeddedChannel channel = new EmbeddedChannel(
            new ChannelDuplexHandler() {
                @Override
                public void read(ChannelHandlerContext ctx) {
                    reads.incrementAndGet();
                    ctx.read();
                }
            },
            meter);

    @AfterEach
    void release() {
        channel.finishAndReleaseAll();
    }

    private void send(ByteBuf bytes) {
        channel.writeInbound(bytes);
    }

    private static ByteBuf records(int count, int length) {
        ByteBuf all = Unpooled.buffer();
        for (int i = 0; i < count; i++) {
            all.writeByte(23).writeShort(0x0303).writeShort(length).writeZero(length);
        }
        return all;
    }

    @Test
    void oneMoreThanThereMayBeIsToldOnce() {
        meter.secured();
        send(records(RecordMeter.MOST_WITHOUT_DATA, 17));
        assertThat(floods).hasValue(0);
        send(records(3, 17));
        send(records(3, 17));
        assertThat(floods).hasValue(1);
    }

    /// Wherever a part of the stream ends, and whatever its records hold.
    @Test
    void recordsAreCountedAcrossTheirParts() {
        meter.secured();
        ByteBuf all = records(RecordMeter.MOST_WITHOUT_DATA - 2, 300);
        all.writeBytes(records(1, 0)).writeBytes(records(1, 16_000)).writeBytes(records(1, 1));
        int part = 1;
        while (all.readableBytes() > 1) {
            send(all.readBytes(Math.min(part++, all.readableBytes() - 1)));
        }
        assertThat(floods).hasValue(0);
        send(all);
        assertThat(floods).hasValue(1);
    }

    /// Those with data may wait for the judgement on a certificate.
    @Test
    void recordsAreJudgedOnceTheHandshakeHasEnded() {
        int waiting = 2 * RecordMeter.MOST_WITHOUT_DATA;
        send(records(waiting, 17));
        assertThat(floods).hasValue(0);
        meter.secured();
        for (int i = 0; i < waiting; i++) {
            meter.carried();
        }
        send(records(RecordMeter.MOST_WITHOUT_DATA, 17));
        assertThat(floods).hasValue(0);
        send(records(1, 17));
        assertThat(floods).hasValue(1);
    }

    private void sendWhatNoHandshakeNeeds() {
        send(records(RecordMeter.MOST_BEFORE_SECURED / 16_384, 16_384));
    }

    @Test
    void nothingIsReadBeyondABoundUntilTheHandshakeHasEnded() {
        send(records(7, 16_384));
        channel.read();
        assertThat(reads.getAndSet(0)).isPositive();
        assertThat(channel.config().isAutoRead()).isTrue();

        sendWhatNoHandshakeNeeds();
        reads.set(0);
        channel.read();
        assertThat(reads).hasValue(0);
        assertThat(channel.config().isAutoRead()).isFalse();

        meter.secured();
        assertThat(channel.config().isAutoRead()).isTrue();
        assertThat(reads).hasPositiveValue();
        sendWhatNoHandshakeNeeds();
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    @Test
    void aChannelThatIsToThrowAwayWhatComesReadsOn() {
        sendWhatNoHandshakeNeeds();
        assertThat(channel.config().isAutoRead()).isFalse();
        channel.config().setAutoRead(true); // by whom there is to be read on
        reads.set(0);

        channel.pipeline().remove(meter);

        assertThat(channel.config().isAutoRead()).isTrue();
        assertThat(reads).hasPositiveValue();
    }
}
