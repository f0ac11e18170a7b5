package kvant.server.resp.parse;

import java.util.List;
import kvant.server.http.contract.Problem;

/// Where the commands of one client go, in the order in which they were sent.
public interface CommandSink {

    /// Whether another command may begin now.
    boolean hasRoom();

    /// Whether the client has said who it is, where it has to: else it may not send much.
    boolean isTrusted();

    /// All of a command was read.
    ///
    /// @param words its name and arguments, one or more
    /// @param claimedBytes claim on the memory of the words, which goes over to the receiver
    /// @return whether it is the last one of its connection
    boolean command(List<byte[]> words, long claimedBytes);

    /// All of a command went by for which there was no memory.
    void refuse();

    /// All of a command went by that is longer than the node takes.
    ///
    /// @param what is too long, for a person
    void refuseTooLong(String what);

    /// What was being read is broken off, and is the last of its connection.
    void fail(Problem problem);

    /// What was read is not RESP: nothing that follows can be trusted.
    ///
    /// @param what for a person
    void failProtocol(String what);
}
