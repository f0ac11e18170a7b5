package kvant.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.ResourceLeakDetector;
import java.nio.charset.StandardCharsets;
import java.util.List;
import kvant.server.MemoryEngine;
import kvant.server.WireCases;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Splitting a request over reads changes neither answers nor the engine's calls.
class SplitTest {

    /// Longer requests are split in two at as many places, spread evenly; each is also sent byte by byte.
    private static final int MOST_SPLITS = Boolean.getBoolean("kvant.test.all") ? 400 : 25;

    private static final ResourceLeakDetector.Level LEVEL = ResourceLeakDetector.getLevel();

    static List<WireCases.Case> cases() {
        return WireCases.all();
    }

    @BeforeAll
    static void trackLess() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.SIMPLE); // a hundred thousand connections
    }

    @AfterAll
    static void trackAgain() {
        ResourceLeakDetector.setLevel(LEVEL);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void everySplitGetsTheSameAnswers(WireCases.Case wire) {
        byte[] request = wire.request();
        String whole = outcome(request, request.length);
        int step = Math.max(1, request.length / MOST_SPLITS);
        for (int at = 1; at < request.length; at += step) {
            assertThat(outcome(request, at)).as("split at " + at).isEqualTo(whole);
        }
        if (request.length < 10_000) {
            assertThat(outcomeByteByByte(request)).as("byte by byte").isEqualTo(whole);
        }
    }

    private static String outcome(byte[] request, int at) {
        MemoryEngine engine = engine();
        try (EmbeddedNode node = new EmbeddedNode(engine)) {
            node.send(request, 0, at);
            if (at < request.length) {
                node.send(request, at, request.length);
            }
            return node.answers() + engine.calls();
        }
    }

    private static String outcomeByteByByte(byte[] request) {
        MemoryEngine engine = engine();
        try (EmbeddedNode node = new EmbeddedNode(engine)) {
            for (int i = 0; i < request.length; i++) {
                node.send(request, i, i + 1);
            }
            return node.answers() + engine.calls();
        }
    }

    private static MemoryEngine engine() {
        MemoryEngine engine = MemoryEngine.inline();
        engine.load("k".getBytes(StandardCharsets.US_ASCII), "value".getBytes(StandardCharsets.US_ASCII));
        return engine;
    }
}
