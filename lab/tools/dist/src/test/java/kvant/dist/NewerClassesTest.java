package kvant.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// The library whose classes are old, as a package has it.
class NewerClassesTest {

    @TempDir
    Path folder;

    private Path original = Path.of("");
    private Path written = Path.of("");

    @BeforeEach
    void write() throws Exception {
        URL source = CommandLine.class.getProtectionDomain().getCodeSource().getLocation();
        original = Path.of(URI.create(source.toString()));
        written = folder.resolve("picocli.jar");
        assertThat(ThinJar.write(original, written, Platform.LINUX_X86_64)).isTrue();
    }

    private static List<JarEntry> classes(JarFile jar) {
        return Collections.list(jar.entries()).stream()
                .filter(entry -> entry.getName().endsWith(".class"))
                .toList();
    }

    private static ClassModel read(JarFile jar, String name) throws IOException {
        try (var content = jar.getInputStream(jar.getEntry(name))) {
            return ClassFile.of().parse(content.readAllBytes());
        }
    }

    private static List<Opcode> opcodes(MethodModel method) {
        List<Opcode> opcodes = new ArrayList<>();
        method.code()
                .ifPresent(code -> code.forEach(element -> {
                    if (element instanceof Instruction instruction) {
                        opcodes.add(instruction.opcode());
                    }
                }));
        return opcodes;
    }

    @Test
    void eachClassIsNewEnoughAndItsCodeIsWhatItWas() throws Exception {
        int maps = 0;
        try (JarFile before = new JarFile(original.toFile());
                JarFile after = new JarFile(written.toFile())) {
            assertThat(classes(after)).hasSameSizeAs(classes(before)).hasSizeGreaterThan(200);
            for (JarEntry entry : classes(before)) {
                ClassModel old = read(before, entry.getName());
                ClassModel now = read(after, entry.getName());
                assertThat(now.majorVersion()).as(entry.getName()).isEqualTo(Math.max(50, old.majorVersion()));
                assertThat(now.methods()).hasSameSizeAs(old.methods());
                for (int i = 0; i < old.methods().size(); i++) {
                    assertThat(opcodes(now.methods().get(i)))
                            .as(entry.getName())
                            .isEqualTo(opcodes(old.methods().get(i)));
                    CodeModel code = now.methods().get(i).code().orElse(null);
                    maps += code != null
                                    && code.findAttribute(Attributes.stackMapTable())
                                            .isPresent()
                            ? 1
                            : 0;
                }
            }
            assertThat(after.getEntry(NewerClasses.MARK)).isNotNull();
        }
        assertThat(maps).as("methods with maps").isGreaterThan(500);
    }

    /// Each class is verified when it is initialised.
    @Test
    void theJvmTakesEachClass() throws Exception {
        try (JarFile after = new JarFile(written.toFile());
                URLClassLoader loader =
                        new URLClassLoader(new URL[] {written.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            for (JarEntry entry : classes(after)) {
                if (!entry.getName().endsWith("module-info.class")) {
                    String name = entry.getName().replace('/', '.').replaceFirst("\\.class$", "");
                    assertThat(Class.forName(name, true, loader).getClassLoader())
                            .isEqualTo(loader);
                }
            }
        }
    }

    @Test
    void aLibraryThatIsNewIsCopiedAsItIs() throws Exception {
        URL source = Test.class.getProtectionDomain().getCodeSource().getLocation();
        Path jar = Path.of(URI.create(source.toString()));
        Path copy = folder.resolve("copy.jar");
        assertThat(ThinJar.write(jar, copy, Platform.LINUX_X86_64)).isTrue();
        assertThat(copy).hasSameBinaryContentAs(jar);
    }
}
