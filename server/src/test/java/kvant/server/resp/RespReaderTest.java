package kvant.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.List;
import kvant.server.admit.MemoryBudget;
import kvant.server.admit.MemoryReservation;
import kvant.server.http.contract.HttpLimits;
import kvant.server.http.contract.Problem;
import kvant.server.resp.parse.CommandSink;
import kvant.server.resp.parse.RespReader;
import org.junit.jupiter.api.Test;

/// A reader without a connection: how long a command may take.
class RespReaderTest {

    private final MemoryBudget budget = new MemoryBudget(1 << 20);
    private final RespReader reader = new RespReader(
            new Sink(),
            HttpLimits.defaults().with(l -> l.maxBodyBytes = 256 << 20),
            new MemoryReservation(new MemoryBudget(1 << 20), () -> {}),
            new MemoryReservation(budget, () -> {}));
    private int commands;
    private String tooLong = "";

    private void read(String text, long ticks) {
        reader.add(
                UnpooledByteBufAllocator.DEFAULT,
                Unpooled.directBuffer().writeBytes(text.getBytes(StandardCharsets.US_ASCII)));
        reader.read(ticks);
    }

    /// At first it has the time of a head; once memory is claimed for it, the lowest rate of a body.
    @Test
    void aCommandThatTakesMemoryHasToGetOn() {
        read("*4\r\n$3\r\nSET\r\n", 10);
        assertThat(reader.isInHead())
                .as("behind a word, with nothing of the next")
                .isTrue();
        assertThat(reader.headTicks()).isEqualTo(10);
        assertThat(reader.holdsBody()).isFalse();
        read("$20000\r\nkkk", 12);
        assertThat(reader.isInBody()).isTrue();
        read("k".repeat(20_000 - 3), 52);
        assertThat(reader.isInBody()).isFalse();
        assertThat(reader.holdsBody()).as("between two words").isTrue();
        read("\r\n$1\r\nv\r\n", 54);
        assertThat(reader.requests()).isZero();
        read("$1\r\nv\r\n", 60);
        assertThat(commands).isEqualTo(1);
        assertThat(reader.requests()).isEqualTo(1);
        assertThat(reader.isInHead()).isFalse();
        assertThat(reader.holdsBody()).isFalse();
        read("*", 70);
        assertThat(reader.headTicks()).isEqualTo(70);
        reader.end();
    }

    /// It is known before any of it has arrived.
    @Test
    void whatIsTooLongTakesNoMemory() {
        read("*3\r\n$3\r\nSET\r\n$20000\r\n" + "k".repeat(20_000) + "\r\n", 10);
        assertThat(budget.claimedBytes()).isGreaterThan(20_000);
        read("$" + ((64 << 20) + 1) + "\r\n", 11);
        assertThat(budget.claimedBytes()).as("what was kept goes").isZero();
        assertThat(reader.holdsBody()).as("it has to get on").isTrue();
        for (int i = 0; i < 64; i++) {
            read("v".repeat(1 << 20), 12);
            assertThat(budget.claimedBytes()).isZero();
        }
        assertThat(tooLong).isEmpty();
        read("v\r\n*1\r\n$4\r\nPING\r\n", 13);
        assertThat(tooLong).isEqualTo("argument of 67108865 bytes; 67108864 are allowed");
        assertThat(commands).isEqualTo(1);
        reader.end();
    }

    private final class Sink implements CommandSink {

        @Override
        public boolean hasRoom() {
            return true;
        }

        @Override
        public boolean isTrusted() {
            return true;
        }

        @Override
        public boolean command(List<byte[]> words, long claimedBytes) {
            commands++;
            return false;
        }

        @Override
        public void refuse(String what) {
            assertThat(what).as("memory").isNotEmpty();
            tooLong = what;
        }

        @Override
        public void fail(Problem problem) {
            throw new AssertionError(problem);
        }

        @Override
        public void failProtocol(String what) {
            throw new AssertionError(what);
        }
    }
}
