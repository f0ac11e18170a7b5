package kvant.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A package has the native libraries of its platform and no others.
class ThinJarTest {

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "librocksdbjni-linux64.so, false, true",
        "librocksdbjni-linux64-musl.so, true, true",
        "librocksdbjni-linux-aarch64.so, true, false",
        "librocksdbjni-linux-aarch64-musl.so, true, true",
        "librocksdbjni-osx-arm64.jnilib, true, true",
        "librocksdbjni-win64.dll, true, true",
        "linux/amd64/libzstd-jni-1.5.7-28.so, false, true",
        "freebsd/amd64/libzstd-jni-1.5.7-28.so, true, true",
        "linux/aarch64/libzstd-jni-1.5.7-28.so, true, false",
        "net/jpountz/util/linux/amd64/liblz4-java.so, false, true",
        "net/jpountz/util/darwin/aarch64/liblz4-java.dylib, true, true",
        "linux-x64/libasyncProfiler.so, false, true",
        "linux-arm64/libasyncProfiler.so, true, false",
        "macos/libasyncProfiler.so, true, true",
        "META-INF/native/libnetty_transport_native_epoll_x86_64.so, false, true",
        "META-INF/native/libnetty_transport_native_epoll_aarch_64.so, true, false",
        "org/rocksdb/RocksDB.class, false, false"
    })
    void knowsWhatIsForeign(String name, boolean onX86, boolean onArm) {
        assertThat(Platform.LINUX_X86_64.isForeign(name)).isEqualTo(onX86);
        assertThat(Platform.LINUX_AARCH64.isForeign(name)).isEqualTo(onArm);
    }

    /// One of its classes cannot be rewritten without a library that is not there.
    @Test
    void leavesOutWhatNoScriptReaches() throws IOException {
        Path jar = jar(
                "org/luaj/vm2/LuaValue.class", "org/luaj/vm2/luajc/JavaBuilder.class", "org/luaj/vm2/lib/jse/A.class");
        Path thin = folder.resolve("thin.jar");

        assertThat(ThinJar.write(jar, thin, Platform.LINUX_X86_64)).isTrue();

        try (JarFile left = new JarFile(thin.toFile())) {
            assertThat(left.stream().map(ZipEntry::getName)).containsExactly("org/luaj/vm2/LuaValue.class");
        }
    }

    @Test
    void keepsTheRestOfAJar() throws IOException {
        Path jar = jar("org/rocksdb/RocksDB.class", "librocksdbjni-linux64.so", "librocksdbjni-win64.dll");
        Path thin = folder.resolve("thin.jar");

        assertThat(ThinJar.write(jar, thin, Platform.LINUX_X86_64)).isTrue();

        try (JarFile left = new JarFile(thin.toFile())) {
            assertThat(left.stream().map(ZipEntry::getName))
                    .containsExactly("org/rocksdb/RocksDB.class", "librocksdbjni-linux64.so");
            assertThat(left.getInputStream(left.getEntry("librocksdbjni-linux64.so"))
                            .readAllBytes())
                    .asString()
                    .isEqualTo("content of librocksdbjni-linux64.so");
        }
    }

    @Test
    void leavesOutAJarOfAnotherPlatform() throws IOException {
        Path jar = jar("META-INF/MANIFEST.MF", "META-INF/native/libnetty_aarch_64.so");

        assertThat(ThinJar.write(jar, folder.resolve("thin.jar"), Platform.LINUX_X86_64))
                .isFalse();
        assertThat(folder.resolve("thin.jar")).doesNotExist();
    }

    @Test
    void saysWherePackagesAreMade() {
        assertThat(Platform.of("Linux", "aarch64")).isEqualTo(Platform.LINUX_AARCH64);
        assertThatThrownBy(() -> Platform.of("Mac OS X", "aarch64"))
                .hasMessage("packages are made on Linux for x86_64 and aarch64, and not on Mac OS X for aarch64: run"
                        + " this there");
    }

    private Path jar(String... names) throws IOException {
        Path jar = folder.resolve("fat.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream out = new ZipOutputStream(file)) {
            for (String name : List.of(names)) {
                out.putNextEntry(new ZipEntry(name));
                out.write(("content of " + name).getBytes(StandardCharsets.UTF_8));
                out.closeEntry();
            }
        }
        return jar;
    }
}
