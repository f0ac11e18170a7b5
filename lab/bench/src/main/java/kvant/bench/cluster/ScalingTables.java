package kvant.bench.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import kvant.bench.figures.MarkedPart;
import kvant.text.JsonFile;
import kvant.text.UserException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `kvant bench scaling FILE`: computes from what `kvant bench gateway --json FILE` measured what larger clusters would
/// do: the tables of docs/scaling.md.
@Command(
        name = "scaling",
        mixinStandardHelpOptions = true,
        description = "Carry measured costs of a gateway to larger clusters, on paper.")
public final class ScalingTables implements Callable<Integer> {

    private static final int LONGEST = 8 << 20;

    @Parameters(paramLabel = "FILE", description = "What 'kvant bench gateway --json' wrote.")
    private @Nullable Path file;

    @Option(names = "--write", paramLabel = "DOC", description = "Put them between the marks of this document.")
    private @Nullable Path document;

    @Mixin
    private ScalingAssumptions assumed = new ScalingAssumptions();

    @Override
    public Integer call() throws IOException {
        if (file == null) {
            throw new UserException("a file is needed");
        }
        ScalingModel model = ScalingModel.of(JsonFile.read(file, "figures of a gateway", LONGEST), assumed);
        String tables = String.join("\n", model.tables());
        if (document == null) {
            System.out.println(tables);
        } else {
            MarkedPart.replace(document, "figures", tables);
        }
        return 0;
    }
}
