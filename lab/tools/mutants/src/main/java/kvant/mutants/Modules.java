package kvant.mutants;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The folders of a tree of sources that are modules, and the files in them.
final class Modules {

    private static final Pattern PARENT = Pattern.compile("\\bextends\\s+(\\w+)|\\bimplements\\s+(\\w+)");

    private final Path root;
    private final Map<Path, List<Path>> files = new HashMap<>();

    Modules(Path root) {
        this.root = root;
    }

    /// Modules that have mutants, in the order of their names.
    List<Path> withMutants() {
        return list(root).filter(one -> Files.isDirectory(mutants(one))).toList();
    }

    static Path mutants(Path module) {
        return module.resolve("src/test/mutants");
    }

    Path named(String name) {
        return root.resolve(name);
    }

    /// Files of the main sources and resources whose path ends with a name.
    List<Path> sources(Path module, String name) {
        return below(module.resolve("src/main"))
                .filter(one -> one.endsWith(name))
                .toList();
    }

    Optional<Path> test(Path module, String type) {
        return below(module.resolve("src/test/java"))
                .filter(one -> one.endsWith(type + ".java"))
                .findFirst();
    }

    /// Whether a class of tests, or one that it inherits from, in whatever module, has a method of that name.
    boolean hasMethod(Path module, String type, String method) {
        Optional<Path> file = test(module, type).or(() -> anywhere(type));
        if (file.isEmpty()) {
            return false;
        }
        String text = read(file.get());
        if (Pattern.compile("\\b" + Pattern.quote(method) + "\\s*\\(")
                .matcher(text)
                .find()) {
            return true;
        }
        Matcher parent = PARENT.matcher(text);
        return parent.find() && hasMethod(module, parent.group(parent.group(1) == null ? 2 : 1), method);
    }

    private Optional<Path> anywhere(String type) {
        return list(root)
                .map(module -> test(module, type))
                .flatMap(Optional::stream)
                .findFirst();
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<Path> list(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Stream<Path> below(Path folder) {
        return files.computeIfAbsent(folder, Modules::walk).stream();
    }

    private static List<Path> walk(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
