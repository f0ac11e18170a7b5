package kvant.walls;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.StringEntry;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Name;
import kvant.report.verdict.Frames;
import kvant.report.verdict.Frames.Concept;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Names that the laboratory looks for exist: each class, method and package of the catalogues of frames, in the module
/// that has the catalogue, and each event that the flight recordings are read for.
class FrameCatalogueTest {

    private static final JavaClasses CODE = Code.ALL;

    // Main classes, which commands name, look like events.
    private static final Pattern EVENT = Pattern.compile("\\b(?:jdk|kvant(?:\\.[a-z]+)*)\\.(?!Main\\b)[A-Z]\\w+");

    /// @param module where the catalogue is, as the beginning of a URL
    record Entry(String module, String concept, String name) {}

    static List<Entry> entries() throws IOException {
        List<URL> catalogues = Collections.list(Frames.class.getClassLoader().getResources(Frames.CATALOGUE));
        catalogues.removeIf(one -> one.toString().contains("/test-classes/")); // what tests of the report read
        assertThat(catalogues).hasSizeGreaterThanOrEqualTo(4);
        return catalogues.stream().flatMap(FrameCatalogueTest::entries).toList();
    }

    private static Stream<Entry> entries(URL catalogue) {
        Properties properties = new Properties();
        try (InputStream in = catalogue.openStream()) {
            properties.load(in);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        String module = catalogue.toString().replace(Frames.CATALOGUE, "");
        return properties.stringPropertyNames().stream()
                .flatMap(key -> Stream.of(properties.getProperty(key).strip().split("\\s+"))
                        .map(name -> new Entry(module, key, name)));
    }

    @ParameterizedTest
    @MethodSource("entries")
    void eachNameIsOfAClassOfItsModule(Entry entry) {
        if (!entry.concept.equals("ROOTS")) {
            assertThat(Concept.valueOf(entry.concept)).isNotNull();
        }
        if (entry.name.endsWith("/*")) {
            String named = entry.name.substring(0, entry.name.length() - 2).replace('/', '.');
            assertThat(new ClassFileImporter().importPackages(named))
                    .as(entry.name)
                    .isNotEmpty();
            return;
        }
        String[] words = entry.name.split("#");
        List<JavaClass> classes = CODE.stream()
                .filter(one -> one.getSimpleName().equals(words[0]) && isIn(one, entry.module))
                .toList();
        assertThat(classes).as(entry.name + " in " + entry.module).isNotEmpty();
        if (words.length > 1) {
            assertThat(classes)
                    .as(entry.name)
                    .anyMatch(one -> one.getMethods().stream()
                            .anyMatch(method -> method.getName().equals(words[1])));
        }
    }

    private static boolean isIn(JavaClass one, String module) {
        return one.getSource()
                .map(source ->
                        source.getUri().toString().replace("file:///", "file:/").startsWith(module))
                .orElse(false);
    }

    @Test
    void eachConceptHasFrames() throws IOException {
        Set<String> named = entries().stream().map(Entry::concept).collect(Collectors.toSet());
        assertThat(named).contains("FLUSH", "COMPACTION", "COMMIT", "ENGINE_READ", "EXECUTOR_QUEUE");
    }

    @Test
    void eachEventThatTheLaboratoryReadsExists() throws IOException {
        Set<String> known = CODE.stream()
                .filter(one -> one.isAssignableTo(Event.class) && one.isAnnotatedWith(Name.class))
                .map(one -> one.getAnnotationOfType(Name.class).value())
                .collect(Collectors.toCollection(TreeSet::new));
        FlightRecorder.getFlightRecorder().getEventTypes().stream()
                .map(EventType::getName)
                .forEach(known::add);
        Set<String> read = new TreeSet<>();
        for (JavaClass one : CODE) {
            if (one.getPackageName().startsWith("kvant.lab")) {
                read.addAll(events(one));
            }
        }
        assertThat(read).contains("kvant.Request", "kvant.lsm.Flush", "jdk.GarbageCollection");
        assertThat(known).containsAll(read);
    }

    private static Set<String> events(JavaClass one) throws IOException {
        Set<String> events = new TreeSet<>();
        try (InputStream in = one.getSource().orElseThrow().getUri().toURL().openStream()) {
            for (PoolEntry entry : ClassFile.of().parse(in.readAllBytes()).constantPool()) {
                if (entry instanceof StringEntry text) {
                    Matcher matcher = EVENT.matcher(text.stringValue());
                    while (matcher.find()) {
                        events.add(matcher.group());
                    }
                }
            }
        }
        return events;
    }
}
