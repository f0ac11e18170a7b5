package kvant.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// A node that takes no writes, from its start or since it was told so.
class ReadOnlyTest {

    @Test
    void writesAreRefusedAndReadsGoOn() throws Exception {
        try (NodeHarness harness = NodeHarness.async()) {
            RawClient client = harness.client();
            assertThat(client.exchange(NodeHarness.put("a", "1")).status()).isEqualTo(201);

            harness.node.readOnly(true);

            for (String write : List.of(NodeHarness.put("a", "2"), NodeHarness.delete("a"), NodeHarness.batch(""))) {
                RawClient.Answer refused = client.exchange(write);
                assertThat(refused.status()).as(write).isEqualTo(403);
                assertThat(refused.text()).contains("urn:kvant:problem:read-only", "reads go on");
            }
            assertThat(client.exchange(NodeHarness.get("a")).text()).isEqualTo("1");
            assertThat(harness.figure("kvant_read_only")).isEqualTo(1);
            RawClient.Answer ready = client.exchange("GET /readyz?verbose HTTP/1.1\r\nHost: h\r\n\r\n");
            assertThat(ready.status()).isEqualTo(200);
            assertThat(ready.text()).contains("writes: ok: refused, because the node is read-only");

            harness.node.readOnly(false);

            assertThat(client.exchange(NodeHarness.put("a", "3")).status()).isEqualTo(201);
            assertThat(harness.figure("kvant_read_only")).isZero();
        }
    }

    @Test
    void aNodeIsReadOnlyFromItsStart() throws Exception {
        try (NodeHarness harness = new NodeHarness(options -> options.with(o -> o.readOnly = true))) {
            RawClient client = harness.client();
            assertThat(client.exchange(NodeHarness.put("a", "1")).status()).isEqualTo(403);
            assertThat(client.exchange(NodeHarness.get("a")).status()).isEqualTo(404);
        }
    }
}
