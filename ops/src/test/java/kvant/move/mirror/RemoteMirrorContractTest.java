package kvant.move.mirror;

import java.nio.file.Path;
import kvant.engine.Durability;
import kvant.engine.Engine;
import kvant.engine.EngineContract;
import kvant.engine.RemoteEngine;
import kvant.lsm.LsmEngine;
import kvant.lsm.LsmOptions;

/// A mirror whose reads are answered later keeps what every engine promises.
class RemoteMirrorContractTest extends EngineContract {

    @Override
    protected Engine open(Path directory, Durability durability) {
        RemoteEngine source = new OffloadedEngine(
                LsmEngine.open(directory, LsmOptions.defaults().withDurability(durability)));
        Path other = directory.resolveSibling(directory.getFileName() + "-mirror");
        return RemoteMirror.over(
                source,
                () -> new OffloadedEngine(MirrorFixture.lsm(other)),
                MirrorFixture.marks(true),
                MirrorOptions.DEFAULT.withBytesPerSecond(0));
    }
}
