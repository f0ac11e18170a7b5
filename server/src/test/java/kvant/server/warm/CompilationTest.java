package kvant.server.warm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import kvant.server.warm.WarmUp.Compilation;
import org.junit.jupiter.api.Test;

class CompilationTest {

    private final AtomicLong compiled = new AtomicLong(5000); // before the warm-up
    private final Compilation compilation = new Compilation(compiled::get, 0);

    @Test
    void itHasSettledWhenLittleWasCompiledInAWindow() {
        compiled.addAndGet(300);
        assertThat(after(500)).isFalse();
        compiled.addAndGet(100);
        assertThat(after(1000)).isFalse();
        compiled.addAndGet(10);
        assertThat(after(1500)).isTrue();
    }

    @Test
    void nothingIsToldBeforeAWindowHasEnded() {
        assertThat(after(1)).isFalse();
        assertThat(after(399)).isFalse();
        assertThat(after(400)).isTrue();
    }

    @Test
    void itMayBeginAgain() {
        assertThat(after(400)).isTrue();
        compiled.addAndGet(200);
        assertThat(after(800)).isFalse();
    }

    private boolean after(long millis) {
        return compilation.hasSettled(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
