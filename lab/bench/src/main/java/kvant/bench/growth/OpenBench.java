package kvant.bench.growth;

import static kvant.bench.growth.Child.figure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import kvant.bench.engine.Keys;
import kvant.bench.figures.MarkdownTable;
import kvant.bench.figures.Ratio;
import kvant.bench.process.FolderSize;
import kvant.bench.process.PageCache;
import kvant.bench.process.Workbench;
import kvant.text.Units;
import kvant.text.command.SizeOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `kvant bench open`: how long a store of many tables takes to open, beside a small one, in turn: in a new JVM and in
/// one that has opened them before, with what is read in memory and without.
///
/// Opening reads the manifest, the ends of each table and the logs, and none of the data. So a store of 100 GB is stood
/// for by one with as many tables in the same levels, each of which is smaller ([ScaledOptions]). What that leaves out
/// is told in docs/results.
@Command(
        name = "open",
        mixinStandardHelpOptions = true,
        description = "Measure how long a store with the tables of a large one takes to open, beside a small one.")
public final class OpenBench implements Callable<Integer> {

    private static final List<String> HEADINGS = List.of(
            "JVM",
            "what is read",
            "store",
            "opened, s",
            "least",
            "most",
            "of that recovery, s",
            "for each table more, us");

    private static final String ALL_DROPPED = "pages, names and inodes of all files (drop_caches); what each JVM reads"
            + " of its own is in memory again before a store is opened in a new one";

    private static final String PAGES_DROPPED =
            "the pages of the store (posix_fadvise), as dropping more takes root;" + " names and inodes stay in memory";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--data",
            converter = SizeOption.class,
            paramLabel = "SIZE",
            description = "Data that the large store stands for (default: 100GiB; 4GiB with --quick).")
    private long data;

    @Option(
            names = "--small",
            converter = SizeOption.class,
            paramLabel = "SIZE",
            description = "Data that the small store stands for (default: 1GiB).")
    private long small = 1L << 30;

    @Option(
            names = "--scale",
            description = "How many times smaller tables and levels are than by default (default: ${DEFAULT-VALUE}).")
    private int scale = 128;

    @Option(names = "--value", description = "Bytes of a value (default: ${DEFAULT-VALUE}).")
    private int valueBytes = 100;

    @Option(names = "--heap", description = "Heap of the process, as -Xmx (default: ${DEFAULT-VALUE}).")
    private String heap = "512m";

    @Option(names = "--rounds", description = "Counted rounds (default: 5; 2 with --quick).")
    private int rounds;

    @Option(names = "--keep-pages", description = "Only with pages in memory: nothing is dropped on this machine.")
    private boolean keepPages;

    @Option(names = "--quick", description = "About half a minute: a store of 4 GiB, two rounds.")
    private boolean quick;

    /// What was dropped at last: all files' pages, or those of one store.
    private boolean ofTheMachine;

    private record Store(String name, Path path, long bytes) {}

    private record Opening(double seconds, double recoverySeconds) {
        static Opening of(Map<String, Double> figures) {
            return new Opening(figure(figures, "openSeconds"), figure(figures, "recoverySeconds"));
        }
    }

    @Override
    public Integer call() throws IOException {
        if (scale < 1 || valueBytes < 0) {
            throw new ParameterException(spec.commandLine(), "'--scale' is at least 1, and '--value' at least 0");
        }
        data = data > 0 ? data : quick ? 4L << 30 : 100L << 30;
        rounds = rounds > 0 ? rounds : quick ? 2 : 5;
        try (Workbench bench = Workbench.open()) {
            measure(
                    List.of(
                            new Store("small", bench.folder().resolve("small"), small),
                            new Store("large", bench.folder().resolve("large"), data)),
                    bench.folder().resolve("empty"));
        }
        return 0;
    }

    private void measure(List<Store> stores, Path empty) throws IOException {
        System.out.printf(
                Locale.ROOT,
                "values of %d bytes, tables and levels at 1:%d of the default with a heap of %s, %d rounds%n%n",
                valueBytes,
                scale,
                heap,
                rounds);
        List<Integer> tables = fill(stores);
        System.out.println();
        MarkdownTable table = new MarkdownTable(System.out, HEADINGS);
        for (boolean dropped : keepPages ? new boolean[] {false} : new boolean[] {false, true}) {
            String pages = dropped ? "on the disk" : "in memory";
            show(table, "new", pages, tables, inNewJvms(stores, empty, dropped));
            show(table, "warm", pages, tables, inOneJvm(stores, dropped));
        }
        if (!keepPages) {
            System.out.printf(
                    "%nDropped before each opening from the disk: %s.%n", ofTheMachine ? ALL_DROPPED : PAGES_DROPPED);
        }
    }

    /// @return how many tables each has
    private List<Integer> fill(List<Store> stores) throws IOException {
        MarkdownTable table = new MarkdownTable(
                System.out,
                "store",
                "stands for",
                "keys",
                "tables",
                "levels",
                "runs of level 0",
                "log, MB",
                "disk, MB");
        List<Integer> tables = new ArrayList<>();
        for (Store store : stores) {
            long keys = Math.max(1, store.bytes() / scale / (Keys.BYTES + valueBytes));
            Child.run(heap, "levels", store.path(), keys, valueBytes, scale);
            Map<String, Double> opened = Child.run(heap, "open", store.path(), scale);
            tables.add((int) figure(opened, "tables"));
            table.row(
                    store.name(),
                    Units.bytes(store.bytes()),
                    Units.count(keys),
                    tables.getLast(),
                    (int) figure(opened, "levels"),
                    (int) figure(opened, "levelZeroRuns"),
                    MarkdownTable.number("%.1f", figure(opened, "replayedBytes") / 1e6),
                    MarkdownTable.number("%.0f", FolderSize.bytes(store.path()) / 1e6));
        }
        return tables;
    }

    /// Of each store, in the order of the rounds.
    private List<List<Opening>> inNewJvms(List<Store> stores, Path empty, boolean dropped) throws IOException {
        List<List<Opening>> openings = lists(stores);
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < stores.size(); i++) {
                Path store = stores.get(i).path();
                if (dropped) {
                    ofTheMachine = PageCache.dropOrForget(store);
                    Child.run(heap, "open", empty, scale); // reads what every JVM does
                }
                openings.get(i).add(Opening.of(Child.run(heap, "open", store, scale)));
            }
        }
        return openings;
    }

    private List<List<Opening>> inOneJvm(List<Store> stores, boolean dropped) throws IOException {
        Map<String, Double> figures = Child.run(
                heap, "again", stores.getFirst().path(), stores.getLast().path(), scale, rounds, dropped);
        List<List<Opening>> openings = lists(stores);
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < stores.size(); i++) {
                openings.get(i)
                        .add(new Opening(
                                figure(figures, Openings.name("openSeconds", i, round)),
                                figure(figures, Openings.name("recoverySeconds", i, round))));
            }
        }
        return openings;
    }

    private static List<List<Opening>> lists(List<Store> stores) {
        List<List<Opening>> lists = new ArrayList<>();
        stores.forEach(_ -> lists.add(new ArrayList<>()));
        return lists;
    }

    private static void show(
            MarkdownTable table, String jvm, String pages, List<Integer> tables, List<List<Opening>> openings) {
        double smallSeconds = Ratio.median(openings.getFirst(), Opening::seconds);
        double largeSeconds = Ratio.median(openings.getLast(), Opening::seconds);
        int more = tables.getLast() - tables.getFirst();
        for (int i = 0; i < openings.size(); i++) {
            List<Double> seconds =
                    openings.get(i).stream().map(Opening::seconds).toList();
            Ratio spread = Ratio.of(seconds);
            boolean isLarge = i == openings.size() - 1;
            table.row(
                    jvm,
                    pages,
                    isLarge ? "large" : "small",
                    MarkdownTable.number("**%.3f**", spread.median()),
                    MarkdownTable.number("%.3f", spread.least()),
                    MarkdownTable.number("%.3f", spread.most()),
                    MarkdownTable.number("%.3f", Ratio.median(openings.get(i), Opening::recoverySeconds)),
                    isLarge && more > 0
                            ? MarkdownTable.number("%.0f", (largeSeconds - smallSeconds) * 1e6 / more)
                            : "-");
        }
    }
}
