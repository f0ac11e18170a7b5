package kvant.server.http.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import kvant.server.request.RequestTrace;
import kvant.server.request.RequestTrace.TraceParent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which ids and which spans of clients count, and that the others are as if they were not there.
class TraceHeadersTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN = "b7ad6b7169203331";
    private static final String PARENT = "00-" + TRACE + "-" + SPAN + "-01";

    private static RequestTrace idOf(String... headers) {
        RequestHead head = new RequestHead();
        for (String header : headers) {
            ByteBuf in = buffer(header);
            TraceHeaders.requestId(in, 2, in.readableBytes() - 2, head);
        }
        return head.trace();
    }

    private static @Nullable TraceParent parentOf(String... headers) {
        RequestHead head = new RequestHead();
        for (String header : headers) {
            ByteBuf in = buffer(header);
            TraceHeaders.parent(in, 2, in.readableBytes() - 2, head);
        }
        return head.trace().parent();
    }

    /// With bytes around it that are not the header's.
    private static ByteBuf buffer(String header) {
        return Unpooled.wrappedBuffer(("0 " + header + " 0").getBytes(StandardCharsets.ISO_8859_1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "6f9619ff-8b86-d011-b42d-00c04fc964ff", "Root=1-67-ab", "a+b/c==", "x@y:1~2_3.4"})
    void anIdOfSafeCharactersIsTheClients(String id) {
        assertThat(idOf(id).idText()).isEqualTo(id);
        assertThat(idOf(id).named().idText()).isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "a b", "a\"", "a\\", "a,b", "a;b", "<a>", "a%0d", "a\tb", "{}", "\u00e9", "\u0000", "a\u007f"
            })
    void anyOtherIsAsIfItWereNotThere(String id) {
        assertThat(idOf(id)).isSameAs(RequestTrace.NONE);
    }

    @Test
    void anIdIsOfABoundedLength() {
        String longest = "x".repeat(RequestTrace.MAX_ID_BYTES);
        assertThat(idOf(longest).idText()).isEqualTo(longest);
        assertThat(idOf(longest + "x").hasId()).isFalse();
    }

    @Test
    void ofTwoNeitherCounts() {
        assertThat(idOf("a", "a").hasId()).isFalse();
        assertThat(idOf("a", "b", "c").hasId()).isFalse();
        assertThat(idOf("", "a").hasId()).isFalse();
        assertThat(parentOf(PARENT, PARENT)).isNull();
        assertThat(parentOf("", PARENT)).isNull();
    }

    @Test
    void aMadeIdIsSafeAndOfOneRequestAlone() {
        RequestTrace made = RequestTrace.NONE.named();
        assertThat(made.idText()).matches("[0-9a-f]{16}");
        assertThat(RequestTrace.NONE.named().idText()).isNotEqualTo(made.idText());
        assertThat(made.named()).isSameAs(made);
    }

    @Test
    void theSpanOfAClientIsRead() {
        TraceParent parent = parentOf(PARENT);
        assertThat(parent).isNotNull();
        assertThat(parent.traceId()).isEqualTo(TRACE);
        assertThat(parent.spanId()).isEqualTo(SPAN);
        assertThat(parent.isSampled()).isTrue();
        TraceParent other = parentOf(PARENT.replace("-01", "-00"));
        assertThat(other).isNotNull();
        assertThat(other.isSampled()).isFalse();
    }

    @Test
    void aLaterVersionMayHaveMore() {
        String later = "01" + PARENT.substring(2);
        assertThat(parentOf(later)).isEqualTo(parentOf(PARENT));
        assertThat(parentOf(later + "-what-ever")).isEqualTo(parentOf(PARENT));
        assertThat(parentOf(later + ".what")).isNull();
        assertThat(parentOf(PARENT + "-more")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "00-" + TRACE + "-" + SPAN,
                "00-" + TRACE + "-" + SPAN + "-1",
                "00-" + TRACE + "-" + SPAN + "-0g",
                "00-" + TRACE + "-" + SPAN + "_01",
                "00-" + TRACE + "_" + SPAN + "-01",
                "00_" + TRACE + "-" + SPAN + "-01",
                "0g-" + TRACE + "-" + SPAN + "-01",
                "ff-" + TRACE + "-" + SPAN + "-01",
                "00-0AF7651916CD43DD8448EB211C80319C-" + SPAN + "-01",
                "00-0af7651916cd43dd8448eb211c80319\u00e9-" + SPAN + "-01",
                "00-00000000000000000000000000000000-" + SPAN + "-01",
                "00-" + TRACE + "-0000000000000000-01",
                "00-" + TRACE + "-b7ad6b716920333g-01"
            })
    void whatIsMalformedIsIgnored(String header) {
        assertThat(parentOf(header)).isNull();
    }

    @Test
    void halfOfAnIdMayBeZero() {
        assertThat(parentOf("00-0000000000000000" + SPAN + "-" + SPAN + "-01")).isNotNull();
        assertThat(parentOf("00-" + SPAN + "0000000000000000-" + SPAN + "-01")).isNotNull();
    }
}
