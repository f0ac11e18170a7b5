package kvant.server.http.parse;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import kvant.server.http.contract.Problem;
import kvant.server.http.contract.ServedHosts;
import org.junit.jupiter.api.Test;

/// Which hosts are served, and what remembering them changes: nothing but the cost.
class HostCheckTest {

    private static final int CHECKS = 200_000;

    private final HostCheck check = new HostCheck(ServedHosts.named(List.of("Kvant.example")));

    @Test
    void whatIsRememberedLetsNoOtherHostIn() {
        for (int round = 0; round < 3; round++) {
            for (String served :
                    List.of("kvant.example", "localhost:1", "127.0.0.1", "[::1]", "10.0.0.1:80", "KVANT.EXAMPLE")) {
                assertThat(verdict(served)).as(served).isEqualTo("served");
                for (String other : List.of(served + "x", "x" + served.replace("[", ""), "other")) {
                    assertThat(verdict(other)).as(other).isNotEqualTo("served");
                }
                assertThat(verdict(served.substring(1) + "]")).isEqualTo("bad");
            }
        }
    }

    @Test
    void theHostOfTheTargetCountsAndBothAreJudged() {
        RequestHead head = new RequestHead();
        assertThat(check(head, "localhost:1")).isNull();
        assertThat(check(head, "127.0.0.1:2")).isNull();
        assertThat(head.host)
                .isNotNull()
                .satisfies(host -> assertThat(host.port()).isEqualTo(1));
        assertThat(head.misdirected).isFalse();
        assertThat(check(head, "other")).isNull();
        assertThat(head.misdirected).isTrue();
    }

    @Test
    void aHostThatComesAgainCostsNoMemory() {
        RequestHead head = new RequestHead();
        ByteBuf host = buffer("127.0.0.1:8080");
        ByteBuf second = buffer("localhost:8080");
        checks(head, host, second); // warm
        long before = allocated();
        checks(head, host, second);
        assertThat(allocated() - before).as("bytes for %d checks", 2 * CHECKS).isLessThan(CHECKS);
    }

    private void checks(RequestHead head, ByteBuf first, ByteBuf second) {
        for (int i = 0; i < CHECKS; i++) {
            check.check(first, 0, first.readableBytes(), head);
            check.check(second, 0, second.readableBytes(), head);
        }
    }

    private String verdict(String host) {
        RequestHead head = new RequestHead();
        Problem problem = check(head, host);
        return problem != null ? "bad" : head.misdirected ? "other" : "served";
    }

    private Problem check(RequestHead head, String host) {
        ByteBuf in = buffer(host);
        return check.check(in, 0, in.readableBytes(), head);
    }

    private static ByteBuf buffer(String text) {
        return Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }
}
