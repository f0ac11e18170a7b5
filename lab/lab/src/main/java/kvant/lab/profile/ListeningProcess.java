package kvant.lab.profile;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import kvant.load.http.Target;
import kvant.text.FileTrouble;
import kvant.text.UserException;

/// Finds the process that listens at an address of this machine, from the kernel's data in `/proc`: first the socket by
/// its address, then the process that has it open.
public final class ListeningProcess {

    private static final String LISTENING = "0A";

    private final Path proc;
    private final InetSocketAddress address;

    ListeningProcess(Path proc, InetSocketAddress address) {
        this.proc = proc;
        this.address = address;
    }

    /// @throws UserException if no process listens there, or one that this user may not inspect
    public static long at(Target target) {
        InetSocketAddress address = target.address();
        if (!isOfThisMachine(address.getAddress())) {
            throw new UserException(target.host() + " is not an address of this machine: only a process of this"
                    + " machine can be profiled");
        }
        return new ListeningProcess(Path.of("/proc"), address).find();
    }

    private static boolean isOfThisMachine(InetAddress address) {
        try {
            return address.isLoopbackAddress()
                    || address.isAnyLocalAddress()
                    || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException _) {
            return false;
        }
    }

    long find() {
        Set<String> sockets = listening();
        if (sockets.isEmpty()) {
            throw new UserException("no process listens on " + where());
        }
        Set<Long> owners = owners(sockets);
        if (owners.isEmpty()) {
            throw new UserException("the process that listens on " + where()
                    + " belongs to another user or is outside of this container");
        }
        if (owners.size() > 1) {
            throw new UserException("several processes listen on " + where() + ": choose one by '--pid' of " + owners);
        }
        return owners.iterator().next();
    }

    private String where() {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /// The link targets of file descriptors for such a socket.
    private Set<String> listening() {
        Set<String> sockets = new HashSet<>();
        boolean told = false;
        for (String table : List.of("net/tcp", "net/tcp6")) {
            try {
                for (String line : Files.readAllLines(proc.resolve(table), StandardCharsets.US_ASCII)) {
                    String[] columns = line.strip().split("\\s+");
                    if (columns.length > 9 && columns[3].equals(LISTENING) && isHere(columns[1])) {
                        sockets.add("socket:[" + columns[9] + "]");
                    }
                }
                told = true;
            } catch (IOException _) {
                // a machine without IPv6 has only one of the tables, other systems have none
            }
        }
        if (!told) {
            throw new UserException(
                    "cannot find the process that listens on " + where() + " on this system: use '--pid'");
        }
        return sockets;
    }

    /// @param local address and port in hexadecimal digits
    private boolean isHere(String local) {
        String[] parts = local.split(":");
        try {
            InetAddress bound = address(parts[0]);
            return Integer.parseInt(parts[1], 16) == address.getPort()
                    && (bound.isAnyLocalAddress() || bound.equals(address.getAddress()));
        } catch (IllegalArgumentException | UnknownHostException _) {
            return false; // the header line
        }
    }

    /// Decodes a kernel address: words of four bytes, each with its lowest byte first.
    private static InetAddress address(String digits) throws UnknownHostException {
        byte[] written = HexFormat.of().parseHex(digits);
        byte[] bytes = new byte[written.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = written[i / 4 * 4 + 3 - i % 4];
        }
        return InetAddress.getByAddress(bytes);
    }

    private Set<Long> owners(Set<String> sockets) {
        Set<Long> owners = new TreeSet<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                if (hasOpen(process.resolve("fd"), sockets)) {
                    owners.add(Long.valueOf(process.getFileName().toString()));
                }
            }
        } catch (IOException e) {
            throw new UserException(
                    "cannot find the process that listens on " + where() + ": " + FileTrouble.reading(e), e);
        }
        return owners;
    }

    private static boolean hasOpen(Path descriptors, Set<String> sockets) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(descriptors)) {
            for (Path file : files) {
                if (sockets.contains(linkOf(file))) {
                    return true;
                }
            }
        } catch (IOException _) {
            // another user's process, or an ended one
        }
        return false;
    }

    private static String linkOf(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException _) {
            return ""; // closed meanwhile
        }
    }
}
