package kvant.bench.published;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import kvant.bench.planted.Planted;
import kvant.bench.planted.PlantedEngine;
import kvant.cli.Main;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.Unmatched;

/// `kvant bench serve`: `kvant serve` with published ways in its LSM engine, or with look-ups that are slower.
@Command(
        name = "serve",
        description = "Serve a store as 'kvant serve' does, with published ways in the LSM engine, to measure them.",
        sortOptions = false,
        footer = {"", "All other options are those of 'kvant serve'."})
public final class PublishedServeCommand implements Callable<Integer> {

    static final class WayOption implements ITypeConverter<PublishedWay> {

        @Override
        public PublishedWay convert(String text) {
            List<String> labels = new ArrayList<>();
            for (PublishedWay way : PublishedWay.values()) {
                if (way.label().equals(text)) {
                    return way;
                }
                labels.add(way.label());
            }
            throw new TypeConversionException("'" + text + "' is not one of " + String.join(", ", labels));
        }
    }

    static final class PlantedOption implements ITypeConverter<Planted> {

        @Override
        public Planted convert(String text) {
            try {
                return Planted.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--published",
            paramLabel = "WAYS",
            split = ",",
            converter = WayOption.class,
            description = "locked-reads, foreground-flush or map-memtable, several with commas (default: none).")
    private Set<PublishedWay> ways = EnumSet.noneOf(PublishedWay.class);

    @Option(
            names = "--planted",
            paramLabel = "LAW",
            converter = PlantedOption.class,
            description = "Look-ups are slower: " + Planted.FORMS + ". For tests of verdicts.")
    private Planted planted = new Planted.Nothing();

    @Unmatched
    private List<String> serveOptions = new ArrayList<>();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean helpRequested;

    @Override
    public Integer call() {
        return Main.serve(
                (data, options) -> PlantedEngine.around(new PublishedLsm(ways).open(data, options), planted),
                spec.commandLine().getOut(),
                spec.commandLine().getErr(),
                serveOptions);
    }
}
