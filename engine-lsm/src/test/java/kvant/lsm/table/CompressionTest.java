package kvant.lsm.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CompressionTest {

    @Test
    void levelsAreReadFromText() {
        assertThat(Compression.parseLevels("zstd")).containsExactly(Compression.ZSTD);
        assertThat(Compression.parseLevels("none, LZ4,zstd"))
                .containsExactly(Compression.NONE, Compression.LZ4, Compression.ZSTD);
        assertThatThrownBy(() -> Compression.parseLevels("none,gzip"))
                .hasMessageContaining("'gzip' in 'none,gzip' is no compression: none, lz4 or zstd");
        assertThatThrownBy(() -> Compression.parseLevels("")).hasMessageContaining("'' in ''");
        assertThatThrownBy(() -> Compression.parseLevels("none,none,none,none,none,none,none,none"))
                .hasMessageContaining("names 8 levels; there are 7");
    }

    @Test
    void theLastCompressionHoldsForAllDeeperLevels() {
        TableOptions options = TableOptions.DEFAULT.withCompression(List.of(Compression.NONE, Compression.LZ4));
        assertThat(options.compressionOf(0)).isEqualTo(Compression.NONE);
        assertThat(options.compressionOf(1)).isEqualTo(Compression.LZ4);
        assertThat(options.compressionOf(6)).isEqualTo(Compression.LZ4);
        assertThat(TableOptions.DEFAULT.compressionOf(6)).isEqualTo(Compression.NONE);
    }
}
