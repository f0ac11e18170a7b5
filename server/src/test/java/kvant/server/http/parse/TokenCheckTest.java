package kvant.server.http.parse;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import kvant.server.access.Reloaded;
import kvant.server.access.Scope;
import kvant.server.access.TokenFile;
import kvant.server.access.Tokens;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which headers are tokens, and what remembering one changes: nothing but the cost.
class TokenCheckTest {

    private static final int CHECKS = 200_000;
    private static final String SECRET = "kvant_0123456789012345678901234567890123456789abc";

    @TempDir
    Path folder;

    private TokenCheck check = new TokenCheck(null);

    @BeforeEach
    void readTokens() throws Exception {
        Path file = Files.writeString(
                folder.resolve("tokens"),
                TokenFile.line("app", EnumSet.of(Scope.READ), SECRET, 0) + "\n"
                        + TokenFile.line("short", EnumSet.of(Scope.READ), "s", 0) + "\n");
        Reloaded<Tokens> tokens = Reloaded.of("tokens", List.of(file), () -> TokenFile.read(file, () -> 0));
        check = new TokenCheck(tokens);
    }

    @Test
    void onlyTheWholeTokenIsOneHoweverOftenItWasSeen() {
        RequestHead head = new RequestHead();
        for (int round = 0; round < 3; round++) {
            assertThat(nameOf(head, "Bearer " + SECRET)).isEqualTo("app");
            assertThat(nameOf(head, "bEARER   " + SECRET)).isEqualTo("app");
            assertThat(nameOf(head, "Bearer s")).isEqualTo("short");
            assertThat(nameOf(head, "Bearer " + SECRET)).isEqualTo("app");
            for (int i = 0; i < SECRET.length(); i++) {
                String other = SECRET.substring(0, i) + '!' + SECRET.substring(i + 1);
                assertThat(nameOf(head, "Bearer " + other)).as(other).isEqualTo("-");
            }
            for (String other : List.of(
                    "Bearer " + SECRET + "x",
                    "Bearer " + SECRET.substring(1),
                    "Bearer " + SECRET.substring(0, SECRET.length() - 1),
                    "Basic " + SECRET,
                    "Bearer" + SECRET,
                    "Bearer ",
                    "Bearer",
                    "",
                    SECRET,
                    "Bearer " + "x".repeat(10_000))) {
                assertThat(nameOf(head, other)).as(other).isEqualTo("-");
            }
        }
    }

    /// Of so many some have a hash that begins as that of the right one.
    @Test
    void noneOfThousandsOfWrongTokensIsOne() {
        RequestHead head = new RequestHead();
        for (int i = 0; i < 4000; i++) {
            assertThat(nameOf(head, "Bearer " + SECRET + i)).isEqualTo("-");
        }
    }

    @Test
    void onlyTheFirstOfSeveralHeadersIsLookedUp() {
        RequestHead head = new RequestHead();
        assertThat(nameOf(head, "Bearer s")).isEqualTo("short");
        ByteBuf second = buffer("Bearer " + SECRET);
        check.read(second, 0, second.readableBytes(), head);
        assertThat(head.tokenName()).isEqualTo("short");
    }

    @Test
    void aTokenThatComesAgainCostsNoMemory() {
        RequestHead head = new RequestHead();
        ByteBuf token = buffer("Bearer " + SECRET);
        checks(head, token); // warm
        long before = allocated();
        checks(head, token);
        assertThat(allocated() - before).as("bytes for %d checks", CHECKS).isLessThan(CHECKS);
        assertThat(head.tokenName()).isEqualTo("app");
    }

    private void checks(RequestHead head, ByteBuf token) {
        for (int i = 0; i < CHECKS; i++) {
            head.reset();
            check.read(token, 0, token.readableBytes(), head);
            check.judge(head);
        }
    }

    private String nameOf(RequestHead head, String header) {
        head.reset();
        ByteBuf in = buffer(header);
        check.read(in, 0, in.readableBytes(), head);
        return head.tokenName();
    }

    private static ByteBuf buffer(String text) {
        return Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }
}
