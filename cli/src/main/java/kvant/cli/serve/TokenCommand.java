package kvant.cli.serve;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Set;
import kvant.server.access.InvalidFileException;
import kvant.server.access.Scope;
import kvant.server.access.TokenFile;
import kvant.server.access.TokenSecret;
import kvant.text.ExitCode;
import kvant.text.FileTrouble;
import kvant.text.UserException;
import kvant.text.command.CliCommand;
import kvant.text.command.CommandGroup;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `kvant token`: tokens for `kvant serve --tokens`.
@Command(
        name = "token",
        description = "Make tokens for a node with --tokens.",
        subcommands = TokenCommand.New.class,
        sortOptions = false)
public final class TokenCommand extends CommandGroup {

    /// `kvant token new`: creates a token, shows it once, and stores only its hash.
    @Command(
            name = "new",
            description = "Make a token: print it, and its line for the file of 'kvant serve --tokens'.",
            sortOptions = false,
            footer = {
                "",
                "The token is printed only this time: the file has its hash. With --tokens the",
                "line is appended to that file, and only the token is printed. A node with the",
                "file accepts the token within two seconds.",
                "",
                "  umask 077",
                "  kvant token new app --scope read,write --tokens tokens > app.token",
                "  kvant load --token-file app.token --workload get http://127.0.0.1:8080",
                "",
                "Exit codes: 0 made, 1 the file could not be written, 2 wrong command line."
            })
    static final class New extends CliCommand {

        @Parameters(paramLabel = "NAME", description = "Name of the token in logs: letters, digits and _ . @ -.")
        private String name = "";

        @Option(
                names = "--scope",
                required = true,
                paramLabel = "SCOPES",
                description = "Scopes: read, write and admin (metrics and pages about the node), with commas"
                        + " between them.")
        private String scopes = "";

        @Option(
                names = "--rate",
                paramLabel = "N",
                description = "Requests per second over all connections; more get 429 (default: no limit).")
        private int rate;

        @Option(
                names = "--tokens",
                paramLabel = "FILE",
                description = "Append the line to this file, created if missing with mode 0600.")
        private @Nullable Path file;

        @Override
        public Integer call() {
            String secret = TokenSecret.generate(new SecureRandom());
            String line;
            try {
                Set<Scope> allowed = TokenFile.scopes(scopes);
                if (rate < 0) {
                    throw new IllegalArgumentException("a rate is 1 or more");
                }
                line = TokenFile.line(name, allowed, secret, rate);
            } catch (IllegalArgumentException e) {
                throw wrong(String.valueOf(e.getMessage()));
            }
            PrintWriter out = out();
            if (file == null) {
                out.println("token, shown once:  " + secret);
                out.println("line of the file:   " + line);
            } else {
                add(file, line);
                out.println(secret);
            }
            out.flush();
            return ExitCode.DONE;
        }

        private void add(Path to, String line) {
            try (FileChannel channel = FileChannel.open(
                    to,
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
                if (TokenFile.names(to).contains(name)) {
                    throw wrong("there is a token named '" + name + "' in " + to + ": take another name");
                }
                long end = channel.size();
                String before = end > 0 && !endsWithLineFeed(channel, end) ? "\n" : "";
                ByteBuffer bytes = ByteBuffer.wrap((before + line + "\n").getBytes(StandardCharsets.US_ASCII));
                channel.position(end);
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            } catch (InvalidFileException e) {
                throw new UserException(String.valueOf(e.getMessage()), e);
            } catch (IOException e) {
                throw new UserException("cannot write " + to + ": " + FileTrouble.writing(e), e);
            }
        }

        private static boolean endsWithLineFeed(FileChannel channel, long end) throws IOException {
            ByteBuffer last = ByteBuffer.allocate(1);
            channel.read(last, end - 1);
            return last.get(0) == '\n';
        }
    }
}
