package kvant.server.resp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import kvant.server.access.AccessControl;
import kvant.server.access.AuditLog;
import kvant.server.access.Peer;
import kvant.server.access.Reloaded;
import kvant.server.access.Scope;
import kvant.server.access.TokenFile;
import kvant.server.access.TokenSecret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The state of one connection: its token and its client.
class SessionTest {

    @TempDir
    Path folder;

    /// Its certificate is known after its first bytes alone.
    @Test
    void whoIsRefusedAllTheTimeIsLookedUpOnceAndNotBefore() throws Exception {
        Path file = folder.resolve("tokens");
        String secret = TokenSecret.generate(new SecureRandom());
        Files.writeString(file, TokenFile.line("reader", EnumSet.of(Scope.READ), secret, 0) + "\n");
        AccessControl access = new AccessControl(
                Reloaded.of("tokens", List.of(file), () -> TokenFile.read(file, System::nanoTime)),
                true,
                new AuditLog());
        AtomicInteger lookedUp = new AtomicInteger();
        Session session = new Session(
                access,
                () -> {
                    lookedUp.incrementAndGet();
                    return Peer.CONTROL;
                },
                1);
        assertThat(lookedUp).hasValue(0);

        CommandSpec get = Objects.requireNonNull(CommandSpec.find("get".getBytes(StandardCharsets.US_ASCII)));
        for (int i = 0; i < 10; i++) {
            assertThat(session.refusal(get)).isSameAs(Errors.NO_TOKEN);
            assertThat(session.authenticate(null, "wrong".getBytes(StandardCharsets.US_ASCII)))
                    .isSameAs(Errors.WRONG_TOKEN);
        }
        assertThat(session.line()).contains(" addr=control ");
        assertThat(lookedUp).hasValue(1);
    }
}
