package kvant.lsm.table;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import kvant.engine.EngineException;
import kvant.lsm.bytes.ByteReader;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.jspecify.annotations.Nullable;

/// Layout of the content of a compressed block, and the libraries that make and read it.
///
/// Format document: docs/formats/table.md
///
///     content = uncompressed length (4) compressed bytes
///
/// Only bytes in arrays are handed to the libraries, never a mapped file: their native code cannot handle a
/// truncated file, and would crash the process.
final class CompressedContent {

    static final int HEAD_BYTES = Integer.BYTES;

    /// Larger blocks stay plain: bounds what reading or writing one block takes of the heap.
    static final int LARGEST_BYTES = 4 << 20;

    /// A shorter block cannot hold a record.
    static final int SMALLEST_BYTES = 2 * Integer.BYTES;

    private CompressedContent() {}

    /// Loads the library.
    ///
    /// @throws EngineException.CannotOpen when it cannot be used here
    static void require(Compression compression, String name) {
        try {
            switch (compression) {
                case NONE -> {}
                case LZ4 -> Lz4.load();
                case ZSTD -> Zstd.load();
            }
        } catch (LinkageError e) {
            throw new EngineException.CannotOpen(name + " needs the compression "
                    + compression.name().toLowerCase(Locale.ROOT)
                    + ", whose native library cannot be loaded (" + e.getMessage()
                    + "): let java.io.tmpdir name a folder that programs may be loaded from");
        }
    }

    /// @return the length in the header; the checksum has been verified, the length has not
    static int uncompressedLength(MemorySegment content, long offset) {
        return content.get(ByteReader.INT, offset);
    }

    /// Fills the target.
    ///
    /// @return false when these bytes do not give exactly as many
    static boolean decompress(Compression compression, byte[] stored, int length, byte[] target) {
        int bytes = length - HEAD_BYTES;
        try {
            int given = switch (compression) {
                case NONE -> -1;
                case LZ4 -> Lz4.DECOMPRESSOR.decompress(stored, HEAD_BYTES, bytes, target, 0, target.length);
                case ZSTD -> Zstd.decompress(stored, HEAD_BYTES, bytes, target);
            };
            return given == target.length;
        } catch (LZ4Exception | ZstdException e) {
            return false;
        }
    }

    /// Belongs to the one thread that writes a table.
    static final class Compressor implements AutoCloseable {

        private static final int KEPT_BYTES = 64 << 10;

        private final Compression compression;
        private final @Nullable ZstdCompressCtx zstd;
        private byte[] content = new byte[KEPT_BYTES];

        Compressor(Compression compression) {
            this.compression = compression;
            this.zstd = compression == Compression.ZSTD ? new ZstdCompressCtx().setLevel(Zstd.LEVEL) : null;
        }

        Compression compression() {
            return compression;
        }

        /// The result of [#compress], valid until the next call.
        byte[] content() {
            return content;
        }

        /// @return the length of the compressed content, or -1 when the block is to stay plain, because it does not
        ///     shrink by an eighth or is too large
        int compress(byte[] block, int length) {
            if (compression == Compression.NONE || length > LARGEST_BYTES) {
                return -1;
            }
            reserve(HEAD_BYTES + length + length / 128 + 1_024);
            int room = content.length - HEAD_BYTES;
            int compressed = zstd == null
                    ? Lz4.COMPRESSOR.compress(block, 0, length, content, HEAD_BYTES, room)
                    : zstd.compressByteArray(content, HEAD_BYTES, room, block, 0, length);
            int stored = HEAD_BYTES + compressed;
            if (stored > length - length / 8) {
                return -1;
            }
            MemorySegment.ofArray(content).set(ByteReader.INT, 0, length);
            return stored;
        }

        /// Reserves more than either library may need for incompressible bytes.
        private void reserve(int bytes) {
            if (content.length < bytes || content.length > KEPT_BYTES && bytes <= KEPT_BYTES) {
                content = new byte[Math.max(bytes, KEPT_BYTES)];
            }
        }

        @Override
        public void close() {
            if (zstd != null) {
                zstd.close();
            }
        }
    }

    /// Native code where it can be loaded, Java where not: the same format.
    private static final class Lz4 {

        static final LZ4Compressor COMPRESSOR = LZ4Factory.fastestInstance().fastCompressor();
        static final LZ4SafeDecompressor DECOMPRESSOR =
                LZ4Factory.fastestInstance().safeDecompressor();

        private Lz4() {}

        static void load() {
            // The call has loaded it.
        }
    }

    /// Contexts are expensive to make (about 7 us each, compared with 3 us for a block) and hold native memory (about
    /// 160 KiB), so a few are kept for the life of the process.
    private static final class Zstd {

        static final int LEVEL = 1;

        private static final int KEPT_CONTEXTS = 4 * Runtime.getRuntime().availableProcessors();
        private static final ArrayBlockingQueue<ZstdDecompressCtx> IDLE = new ArrayBlockingQueue<>(KEPT_CONTEXTS);

        private Zstd() {}

        static void load() {
            keep(new ZstdDecompressCtx());
        }

        static int decompress(byte[] stored, int offset, int length, byte[] target) {
            ZstdDecompressCtx context = IDLE.poll();
            if (context == null) {
                context = new ZstdDecompressCtx();
            }
            try {
                return context.decompressByteArray(target, 0, target.length, stored, offset, length);
            } finally {
                keep(context);
            }
        }

        private static void keep(ZstdDecompressCtx context) {
            if (!IDLE.offer(context)) {
                context.close();
            }
        }
    }
}
