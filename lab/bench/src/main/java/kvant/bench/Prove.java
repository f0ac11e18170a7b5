package kvant.bench;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import kvant.bench.attack.AttackCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `kvant prove attack`: the other trials of `kvant prove` are a program of their own.
@Command(
        name = "kvant prove",
        mixinStandardHelpOptions = true,
        description = "Put a promise to the test at full length.",
        subcommands = AttackCommand.class)
public final class Prove implements Runnable {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    public static void main(String[] args) {
        // Thousands of attackers share one core, leaving the others to the node and the good client.
        System.setProperty("jdk.virtualThreadScheduler.parallelism", "1");
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(execute(new PrintWriter(System.out, true, StandardCharsets.UTF_8), err, args));
    }

    static int execute(PrintWriter out, PrintWriter err, String... args) {
        return Main.execute(new Prove(), out, err, args);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a promise is needed, such as 'attack'");
    }
}
