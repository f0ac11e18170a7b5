package kvant.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import kvant.cli.Main.CommandGroups;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/// Wrong command lines: one line that helps, exit code 2, and no changes.
@Timeout(30) // a command line that should have been refused might serve for ever
class CommandLineTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            --prot 1                     | unknown option '--prot'; did you mean '--port'?
            --durabilty none             | unknown option '--durabilty'; did you mean '--durability'?
            --frobnicate                 | unknown option '--frobnicate'
            --port                       | '--port' needs a value: P
            --port x                     | '--port': 'x' is not a whole number
            --port 70000                 | the port is 0 to 65535, not 70000
            --port -1                    | the port is 0 to 65535, not -1
            --engine foo                 | 'foo' is not one of lsm, rocksdb
            --executor fast              | 'fast' is not one of sync, async, virtual, adaptive
            --transport tcp              | 'tcp' is not one of auto, epoll, nio, io_uring
            --rocksdb.preset mine        | 'mine' is not one of
            --rocksdb.preset tuned       | '--rocksdb.preset' needs '--engine rocksdb'
            --lsm.compaction tall        | 'tall' is not one of leveled, universal
            --lsm.compaction-threads 0   | compaction takes at least 1 thread
            --lsm.compaction-rate fast   | 'fast' is not a size, such as 4096, 64MiB or 10GiB
            --lsm.memtable 0             | '--lsm.memtable' is 64 KiB to 1 GiB, not 0 B
            --lsm.memtable 65535         | '--lsm.memtable' is 64 KiB to 1 GiB, not
            --lsm.open-ranges 0          | at least 1 range may be open
            --lsm.range-life 0           | '--lsm.range-life' is at least 1 s, not 0 s
            --lsm.compression none,snappy | 'snappy' in 'none,snappy' is no compression: none, lz4 or zstd
            --lsm.compression none,      | '' in 'none,' is no compression
            --lsm.separate-values few    | 'few' is not a size, such as 4096, 64MiB or 10GiB
            --lsm.separate-values 511    | '--lsm.separate-values' is 512 B or more, or off, not 511 B
            --engine rocksdb --lsm.separate-values off | the options '--lsm...' need '--engine lsm'
            --engine rocksdb --lsm.compression lz4 | the options '--lsm...' need '--engine lsm'
            --engine rocksdb --lsm.memtable 1MB | the options '--lsm...' need '--engine lsm'
            --engine rocksdb --lsm.log-dir x | the options '--lsm...' need '--engine lsm'
            --lsm.cache 100TiB           | '--lsm.cache' is at most 8 times the heap,
            --lsm.log-dir=               | '--lsm.log-dir': the path is empty
            --data=                      | '--data': the path is empty
            --engine rocksdb --max-data 1GiB | '--changes-retain' and the options '--lsm...' need '--engine lsm'
            --engine cassandra --max-data 1GiB | '--max-data', '--changes-retain' and the options '--lsm...' need
            --access-log-format json | the options '--access-log-...' need '--access-log FILE'
            --access-log-rotate 1MiB | the options '--access-log-...' need '--access-log FILE'
            --access-log-keep 2 | the options '--access-log-...' need '--access-log FILE'
            --access-log a --access-log-rotate 4KiB | is left for a new one after 1 MiB or more, or never (0)
            --access-log a --access-log-keep 0 | 1 to 1000 files of the access log are kept, not 0
            --access-log a --access-log-rotate 0 --access-log-keep 2 | needs '--access-log-rotate SIZE'
            --access-log a --access-log-queue 1 | has room for 16 to 1048576 lines, not 1
            --workers 0                  | the number of workers is 1 to 1024, not 0
            --workers many               | 'many' is not a whole number
            --event-loops 0              | the number of event loops is 1 to 1024, not 0
            --drain -1                   | the drain timeout is 0 s or more, not -1 s
            --executor sync --workers 2  | '--workers' needs '--executor async' or '--executor adaptive'
            --executor sync --queue 9    | '--queue' needs '--executor async' or '--executor adaptive'
            --executor virtual --pool.order lifo | '--pool.order' needs '--executor async' or '--executor adaptive'
            --pool.write-workers 2       | '--pool.write-workers' and '--pool.write-queue' need '--executor async'
            --executor async --pool.write-queue 2 | '--pool.write-queue' needs '--pool.write-workers'
            --pool.keep-alive 2          | '--pool.keep-alive' needs '--pool.max-workers'
            --workers 4 --pool.max-workers 2 | the largest number of workers, 2, is less than their number, 4
            --pool.max-workers 99 --queue unbounded | a queue that is never full never calls for more
            --pool.order random          | 'random' is not one of fifo, lifo, adaptive
            --pool.on-full drop          | 'drop' is not one of reject, caller
            --admission.deadline -1      | a time of admission is not negative
            --admission.connections 0    | the limit on connections is at least 1, not 0
            --admission.queued 64M       | '64M' is not a clear size: write 64MiB (powers of 1024)
            --queue 0                    | '0' is neither a number from 1 nor 'unbounded'
            --queue big                  | 'big' is neither a number from 1 nor 'unbounded'
            --durability sometimes       | use always, interval=MS (such as interval=100) or none
            --durability interval=0      | the interval is 1 to 60000 ms
            --durability interval=x      | use always, interval=MS
            --port 1 --port 2            | '--port' is given twice
            stray                        | unexpected argument 'stray'
            --host 0.0.0.0               | there is no authentication: give --tokens FILE
            --host ::                    | there is no authentication: give --tokens FILE
            --tokens /nowhere/tokens     | there is no token file /nowhere/tokens
            --tokens /                   | token file / is no plain file
            --tls-cert c                 | '--tls-cert' and '--tls-key' need each other
            --tls-key k                  | '--tls-cert' and '--tls-key' need each other
            --tls-client-ca c            | the options '--tls...' need '--tls-cert' and '--tls-key'
            --tls-oldest 1.2             | the options '--tls...' need '--tls-cert' and '--tls-key'
            --tls-oldest 1.1             | '--tls-oldest' is 1.3 or 1.2, not '1.1'
            --tls-cert /none --tls-key k | there is no certificate file /none
            --admin-port -1              | the administrative port is 0 to 65535, not -1
            --admin-port 70000           | the administrative port is 0 to 65535, not 70000
            --admin-host ::1             | '--admin-host' needs '--admin-port'
            --admin-host 0.0.0.0 --admin-port 1 | '--admin-host 0.0.0.0' can be reached from other machines
            --host 192.0.2.1             | accept the risk with --insecure-no-authentication
            """)
    void aWrongOptionIsExplainedInOneLine(String options, String expected) {
        Path data = folder.resolve("data");

        int code = execute(("serve --data " + data + " " + options).split(" +"));

        assertThat(code).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().contains(expected, "kvant help serve");
        assertThat(out.toString()).isEmpty();
        assertThat(data).doesNotExist();
    }

    @Test
    void aWrongCommandIsExplainedInOneLine() {
        assertThat(execute("sevre")).isEqualTo(2);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .contains("unknown command 'sevre'; did you mean 'serve'?");
    }

    @Test
    void noCommandIsExplainedInOneLine() {
        assertThat(execute()).isEqualTo(2);
        assertThat(err.toString().lines()).singleElement().asString().contains("a command is needed");
    }

    @Test
    void helpListsTheCommandsAndTheirOptions() {
        assertThat(execute("help")).isZero();
        assertThat(out.toString()).contains("serve", "test", "version", "help");

        assertThat(execute("help", "serve")).isZero();
        assertThat(out.toString())
                .contains(
                        "--data",
                        "--host",
                        "--port",
                        "--engine",
                        "--executor",
                        "--workers",
                        "--queue",
                        "--durability",
                        "--pool.order",
                        "--admission.deadline",
                        "--admission.queued",
                        "--event-loops",
                        "--transport",
                        "--rocksdb.preset",
                        "--drain");
        assertThat(err.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"ftp://x y, is not a URL such as, 2", "http://127.0.0.1:1, cannot reach http://127.0.0.1:1, 1"})
    void aNodeThatCannotBeAskedIsNamedInOneLine(String url, String expected, int code) {
        assertThat(execute("slow", "--url", url)).isEqualTo(code);
        assertThat(err.toString().lines()).singleElement().asString().contains(expected);
    }

    @Test
    void theHelpShowsEachCommandUnderTheHeadingOfItsGroup() {
        List<String> shown = CommandGroups.ALL.stream()
                .flatMap(group -> group.commands().stream())
                .toList();
        assertThat(shown)
                .containsExactlyInAnyOrderElementsOf(
                        Main.commandLine().getSubcommands().keySet());
        assertThat(execute("help")).isZero();
        assertThat(out.toString())
                .containsSubsequence(
                        "A node:\n  serve", "  slow", "A store:\n  check", "Measuring:\n  load", "  version")
                .doesNotContain("Commands:");
    }

    @Test
    void versionIsOneLine() {
        assertThat(execute("version")).isZero();
        assertThat(out.toString().lines()).singleElement().asString().startsWith("kvant ");
    }

    private int execute(String... args) {
        return Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    /// A terminal of 80 columns is what the help is broken for; a longer line is broken a second time.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "serve",
                "check",
                "inspect",
                "health",
                "checkpoint",
                "compact",
                "slow",
                "copy",
                "get",
                "put",
                "delete",
                "scan",
                "watch",
                "status",
                "restore"
            })
    void theHelpIsNotBrokenInTheMiddleOfALine(String command) {
        String[] words = (command + " --help").split(" ");
        assertThat(Main.execute(new PrintWriter(out), new PrintWriter(err), words))
                .isZero();
        CommandSpec spec = Main.commandLine()
                .parseArgs(words)
                .asCommandLineList()
                .getLast()
                .getCommandSpec();

        assertThat(out.toString()).startsWith("Usage: kvant " + command);
        assertThat(spec.usageMessage().footer())
                .allMatch(line -> line.length() <= spec.usageMessage().width());
        assertThat(spec.options()).allMatch(option -> option.description().length <= 1);
    }

    /// Text in `${...}` is a variable of the help unless written with two dollar signs.
    @Test
    void noHelpHasAVariableThatIsNone() {
        List<CommandLine> commands = new ArrayList<>(List.of(Main.commandLine()));
        for (int i = 0; i < commands.size(); i++) {
            CommandLine command = commands.get(i);
            commands.addAll(command.getSubcommands().values());
            assertThat(command.getUsageMessage())
                    .as(command.getCommandSpec().qualifiedName())
                    .doesNotContain("'null'", "$$");
        }
        assertThat(commands).hasSizeGreaterThan(30);
    }
}
