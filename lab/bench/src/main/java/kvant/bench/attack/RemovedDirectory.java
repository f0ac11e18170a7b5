package kvant.bench.attack;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kvant.lab.process.Folders;

/// Deletes the data directory while the node serves it.
final class RemovedDirectory implements Assault {

    private static final int CREATED = 201;
    private static final int NOT_READY = 503;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long LOOK_MILLIS = 200;

    @Override
    public void begin(Scene scene) throws IOException {
        Folders.delete(scene.data());
    }

    /// With timing the node must have noticed it by now; otherwise it has more time.
    @Override
    public List<String> complaints(Scene scene) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + (scene.isMeasured() ? 0 : PATIENCE_NANOS);
        int put = put(scene);
        int ready = ready(scene);
        while ((put == CREATED || ready != NOT_READY) && System.nanoTime() < deadline) {
            Thread.sleep(LOOK_MILLIS);
            put = put(scene);
            ready = ready(scene);
        }
        List<String> complaints = new ArrayList<>();
        if (put == CREATED) {
            complaints.add("puts are acknowledged");
        }
        if (ready != NOT_READY) {
            complaints.add("/readyz answers " + ready);
        }
        return complaints;
    }

    private static int put(Scene scene) throws IOException {
        return scene.ask("PUT", "/v0/entity?id=nowhere", new byte[] {'x'}).status();
    }

    private static int ready(Scene scene) throws IOException {
        return scene.ask("GET", "/readyz", new byte[0]).status();
    }
}
