package kvant.server.http.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import kvant.server.access.AccessControl;
import kvant.server.access.AuditLog;
import kvant.server.admit.MemoryBudget;
import kvant.server.admit.MemoryReservation;
import kvant.server.http.contract.CorsOrigins;
import kvant.server.http.contract.Exposure;
import kvant.server.http.contract.HiddenPaths;
import kvant.server.http.contract.HttpLimits;
import kvant.server.http.contract.Problem;
import kvant.server.http.contract.Route;
import kvant.server.http.contract.ServedHosts;
import kvant.server.http.parse.RequestSink.PendingRequest;
import kvant.server.request.Request;
import org.junit.jupiter.api.Test;

/// A reader without a connection: what it tells its sink, and when.
class RequestReaderTest {

    private static final String PUT = "PUT /v0/entity?id=k HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n";
    private static final String GET = "GET /v0/entity?id=k HTTP/1.1\r\nHost: h\r\n\r\n";

    private final MemoryBudget unread = new MemoryBudget(0);
    private final MemoryBudget bodies = new MemoryBudget(8);
    private final List<String> told = new ArrayList<>();
    private int room = Integer.MAX_VALUE;
    private MemoryReservation bodyClaim = new MemoryReservation(bodies, () -> {});
    private final RequestReader reader = reader(bodies, 100);

    private RequestReader reader(MemoryBudget budget, int maxKeyBytes) {
        bodyClaim = new MemoryReservation(budget, () -> {});
        return new RequestReader(
                new Sink(),
                HttpLimits.defaults(),
                new TargetParser(
                        maxKeyBytes,
                        () -> 1,
                        new Exposure(
                                ServedHosts.all(),
                                Route.all(false),
                                false,
                                new HiddenPaths(List.of()),
                                CorsOrigins.NONE,
                                new AccessControl(null, false, new AuditLog()),
                                null)),
                Map.of(),
                new MemoryReservation(unread, () -> {}),
                bodyClaim);
    }

    private final class Sink implements RequestSink {

        @Override
        public boolean hasRoom() {
            return room > 0;
        }

        @Override
        public PendingRequest begin(RequestHead head) {
            room--;
            told.add("begin");
            return new Pending(head);
        }

        @Override
        public void complete(PendingRequest read, Request request, long claimedBytes) {
            told.add(request.getClass().getSimpleName() + " " + claimedBytes);
        }
    }

    private final class Pending implements PendingRequest {

        private boolean refused;
        private boolean closes;

        Pending(RequestHead head) {
            refused = head.refusal() != null;
            closes = !head.keepAlive();
        }

        @Override
        public boolean isRefused() {
            return refused;
        }

        @Override
        public void refuse(Problem reason) {
            refused = true;
            told.add("refuse " + reason);
        }

        @Override
        public boolean closes() {
            return closes;
        }

        @Override
        public void close() {
            closes = true;
            told.add("close");
        }

        @Override
        public void awaitContinue() {
            told.add("await continue");
        }
    }

    @Test
    void aRequestBeginsWithItsHeadAndIsCompleteWithItsBody() {
        read(PUT + "val");
        assertThat(told).containsExactly("begin");
        read("ue" + GET);
        assertThat(told).containsExactly("begin", "Put 5", "begin", "Get 0");
        assertThat(reader.isBetweenRequests()).isTrue();
    }

    /// As long as it is held, with its body or alone.
    @Test
    void aLongKeyIsClaimedWithItsRequest() {
        String key = "k".repeat(2_000);
        RequestReader patient = reader(new MemoryBudget(1 << 20), 4_000);
        read(patient, PUT.replace("id=k", "id=" + key) + "val");
        assertThat(bodyClaim.bytes()).isBetween(2_003L, 2_005L);
        read(patient, "ue" + GET.replace("id=k", "id=" + key) + GET);
        assertThat(told).containsExactly("begin", "Put 2005", "begin", "Get 2000", "begin", "Get 0");
        assertThat(bodyClaim.bytes()).isZero();
    }

    @Test
    void aLongKeyWithoutMemoryIsRefused() {
        RequestReader poor = reader(bodies, 4_000);
        assertThat(bodies.claim(1, 0)).isTrue(); // by another
        String key = "k".repeat(2_000);
        read(poor, PUT.replace("id=k", "id=" + key) + "value" + GET.replace("id=k", "id=" + key) + GET);
        assertThat(told).containsExactly("begin", "refuse OVERLOADED", "begin", "refuse OVERLOADED", "begin", "Get 0");
        assertThat(bodies.claimedBytes()).isOne();
    }

    /// The claim goes over to the sink, which never gave it back: a second body does not fit next to it.
    @Test
    void aBodyWithoutMemoryIsRefusedAndSkipped() {
        read(PUT + "value" + PUT + "value" + GET);
        assertThat(told).containsExactly("begin", "Put 5", "begin", "refuse OVERLOADED", "begin", "Get 0");
    }

    @Test
    void aPartOfALongHeadWithoutMemoryIsRefusedAndEndsTheReader() {
        assertThat(unread.claim(1, 0)).isTrue(); // by another
        read(GET.replace("Host", "X-Long: " + "x".repeat(2_000) + "\r\nHost").substring(0, 2_000));
        assertThat(told).containsExactly("begin", "refuse OVERLOADED", "close");
        assertThat(reader.hasUnread()).isFalse();
        assertThat(unread.claimedBytes()).isOne();
    }

    @Test
    void aPartOfAHeadDoesNotHoldALargeReceiveBuffer() {
        ByteBuf large = UnpooledByteBufAllocator.DEFAULT.directBuffer(64 << 10);
        reader.add(UnpooledByteBufAllocator.DEFAULT, large.writeByte('G'));
        reader.read(0);
        assertThat(reader.hasUnread()).isTrue();
        assertThat(large.refCnt()).isZero();
        reader.end();
    }

    @Test
    void anOrdinaryHeadInTwoPartsNeedsNoMemory() {
        assertThat(unread.claim(1, 0)).isTrue(); // by another
        read(GET.substring(0, 10));
        read(GET.substring(10));
        assertThat(told).containsExactly("begin", "Get 0");
    }

    /// A connection gets a part of a receive buffer from io_uring, and would hold all of it.
    @Test
    void aPartOfAHeadDoesNotHoldTheBufferThatItIsAPartOf() {
        ByteBuf whole = UnpooledByteBufAllocator.DEFAULT.directBuffer(8 << 10);
        whole.writeBytes(GET.getBytes(StandardCharsets.US_ASCII));
        reader.add(UnpooledByteBufAllocator.DEFAULT, whole.retainedSlice(0, 10));
        reader.read(0);
        assertThat(reader.hasUnread()).isTrue();
        assertThat(whole.refCnt()).isOne();
        whole.release();
        read(GET.substring(10));
        assertThat(told).containsExactly("begin", "Get 0");
    }

    @Test
    void nothingBeginsWhileTheSinkHasNoRoom() {
        room = 1;
        read(GET + GET);
        assertThat(told).containsExactly("begin", "Get 0");
        assertThat(reader.hasUnread()).isTrue();
        room = 1;
        reader.read(0);
        assertThat(told).containsExactly("begin", "Get 0", "begin", "Get 0");
    }

    @Test
    void whatCannotBeTrustedEndsTheReader() {
        read("GET /v0/entity?id=k HTTP/1.1\nHost: h\r\n\r\n" + GET);
        assertThat(told).containsExactly("begin", "refuse MALFORMED", "close");
        assertThat(reader.isEnded()).isTrue();
    }

    @Test
    void anUnwantedBodyIsSkippedAndTheRequestIsNotCarriedOut() {
        read("PUT /v0/nowhere HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nvalue" + GET);
        assertThat(told).containsExactly("begin", "begin", "Get 0");
        assertThat(bodies.claimedBytes()).isZero();
    }

    private void read(String bytes) {
        read(reader, bytes);
    }

    private static void read(RequestReader by, String bytes) {
        by.add(
                UnpooledByteBufAllocator.DEFAULT,
                Unpooled.directBuffer().writeBytes(bytes.getBytes(StandardCharsets.US_ASCII)));
        by.read(0);
    }
}
