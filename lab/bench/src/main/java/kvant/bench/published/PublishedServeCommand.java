package kvant.bench.published;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import kvant.cli.Main;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.Unmatched;

/// `kvant bench serve`: `kvant serve` with published implementations in its LSM engine.
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

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--published",
            paramLabel = "WAYS",
            split = ",",
            converter = WayOption.class,
            description = "locked-reads or foreground-flush, or both with a comma (default: none).")
    private Set<PublishedWay> ways = EnumSet.noneOf(PublishedWay.class);

    @Unmatched
    private List<String> serveOptions = new ArrayList<>();

    @Override
    public Integer call() {
        return Main.serve(
                new PublishedLsm(ways)::open,
                spec.commandLine().getOut(),
                spec.commandLine().getErr(),
                serveOptions);
    }
}
