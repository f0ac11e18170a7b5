package kvant.load.command;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import kvant.text.command.CommandRunner;
import picocli.CommandLine;

/// The stand-alone load generator: `kvant-load [OPTIONS] URL`, and `kvant-load compare A B`. The same commands are
/// available as `kvant load` and `kvant compare`.
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        CommandLine load =
                new CommandLine(new LoadCommand()).setCommandName("kvant-load").addSubcommand(new CompareCommand());
        System.exit(new CommandRunner(load, List.of()).run(out, err, arguments));
    }
}
