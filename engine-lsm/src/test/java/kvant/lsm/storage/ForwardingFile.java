package kvant.lsm.storage;

import java.io.IOException;
import java.nio.ByteBuffer;

/// Hands every call on to another file; for those that do something else with a few of them.
public abstract class ForwardingFile implements WritableFile {

    private final WritableFile file;

    protected ForwardingFile(WritableFile file) {
        this.file = file;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        file.write(bytes);
    }

    @Override
    public void sync() throws IOException {
        file.sync();
    }

    @Override
    public void beginWriteback() {
        file.beginWriteback();
    }

    @Override
    public void preallocate(long bytes) throws IOException {
        file.preallocate(bytes);
    }

    @Override
    public void truncate(long size) throws IOException {
        file.truncate(size);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
