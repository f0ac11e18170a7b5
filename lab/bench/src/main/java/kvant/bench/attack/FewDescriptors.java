package kvant.bench.attack;

import static kvant.bench.attack.swarm.SwarmStep.hold;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import kvant.bench.attack.swarm.Script;
import kvant.lab.run.RawConnection;

/// Uses up all file descriptors, while an existing client fills one log after another.
final class FewDescriptors implements Assault {

    private static final int CONNECTIONS = 600;
    private static final int PUTS = 64;
    private static final byte[] VALUE = new byte[64 << 10];

    private final List<String> complaints = new ArrayList<>();

    @Override
    public void begin(Scene scene) throws IOException, InterruptedException {
        complaints.clear();
        try (RawConnection writer = new RawConnection(scene.node().target().address(), Scene.PATIENCE)) {
            put(writer, "first");
            scene.swarm(CONNECTIONS, Script.of(hold()));
            boolean _ = scene.awaitOver(1); // until all descriptors are in use
            for (int i = 0; i < PUTS; i++) {
                put(writer, "put-" + i);
            }
        } catch (IOException e) {
            complaints.add("puts meanwhile: " + e.getMessage());
        }
    }

    private static void put(RawConnection writer, String key) throws IOException {
        writer.http("PUT", "/v0/entity?id=" + key, VALUE).flush();
        int status = writer.answer().status();
        if (status != 201) {
            throw new IOException("answered " + status);
        }
    }

    @Override
    public List<String> complaints(Scene scene) {
        try {
            String _ = scene.put("afterwards", VALUE);
        } catch (IOException e) {
            complaints.add("a put afterwards: " + e.getMessage());
        }
        return complaints;
    }
}
