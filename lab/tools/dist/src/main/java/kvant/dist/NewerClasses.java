package kvant.dist;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.constant.ClassDesc;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/// Converts classes of a jar from Java 5 or earlier to Java 6: with stack maps, by which the JVM verifies in one pass.
/// The JVM's cache accepts no class without them, so that each start would read, parse and verify it again. The code is
/// unchanged, instruction by instruction.
///
/// The only old library is picocli; its licence permits this, and requires a notice: [#MARK].
final class NewerClasses {

    /// The notice of changes in a jar.
    static final String MARK = "META-INF/CHANGED-BY-KVANT";

    static final String WORDS = "The class files of this jar were changed: those before version 50 of the format were"
            + " given that version, with maps of the stack. Nothing else was.\n";

    static final int VERSION = ClassFile.JAVA_6_VERSION;

    private static final int HEAD_BYTES = 8;
    private static final int VERSION_OFFSET = 6;

    private final ClassFile classes;

    /// @param jar contains the other classes of the library, and must stay open
    NewerClasses(JarFile jar) {
        ClassHierarchyResolver own = ClassHierarchyResolver.ofResourceParsing(type -> find(jar, type));
        this.classes = ClassFile.of(
                ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                ClassFile.ClassHierarchyResolverOption.of(
                        own.orElse(ClassHierarchyResolver.defaultResolver()).cached()));
    }

    private static @Nullable InputStream find(JarFile jar, ClassDesc type) {
        String descriptor = type.descriptorString(); // Lpicocli/CommandLine;
        JarEntry entry = jar.getJarEntry(descriptor.substring(1, descriptor.length() - 1) + ".class");
        try {
            return entry == null ? null : jar.getInputStream(entry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static boolean isOld(JarFile jar, JarEntry entry) throws IOException {
        if (!entry.getName().endsWith(".class")) {
            return false;
        }
        try (InputStream content = jar.getInputStream(entry)) {
            byte[] head = content.readNBytes(HEAD_BYTES);
            return head.length == HEAD_BYTES
                    && head[0] == (byte) (ClassFile.MAGIC_NUMBER >>> 24)
                    && ((head[VERSION_OFFSET] & 0xff) << 8 | head[VERSION_OFFSET + 1] & 0xff) < VERSION;
        }
    }

    byte[] written(byte[] old) {
        return classes.transformClass(
                classes.parse(old),
                // Passed on individually: code copied as a whole gets no stack maps.
                ClassTransform.transformingMethodBodies((code, element) -> code.with(element))
                        .andThen(ClassTransform.endHandler(written -> written.withVersion(VERSION, 0))));
    }
}
