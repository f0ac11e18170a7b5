package kvant.server.resp.parse;

import java.util.List;
import kvant.server.http.contract.Problem;

/// A receiver of the commands of one client, in the order in which they were sent.
public interface CommandSink {

    /// Whether another command may begin now.
    boolean hasRoom();

    /// Whether the client has authenticated, if it must; otherwise its input is bounded more tightly.
    boolean isTrusted();

    /// Handles a command that was read completely.
    ///
    /// @param words its name and arguments, one or more
    /// @param claimedBytes claim on the memory of the words, which goes over to the receiver
    /// @return whether it is the last one of its connection
    boolean command(List<byte[]> words, long claimedBytes);

    /// Refuses a command, after all of it has been skipped.
    ///
    /// @param tooLong part that is longer than the node accepts, for a person; empty if there was no memory for it
    void refuse(String tooLong);

    /// Breaks off the present command, which is the last of its connection.
    void fail(Problem problem);

    /// Fails on input that is not RESP: its further bytes cannot be trusted.
    ///
    /// @param what description for a person
    void failProtocol(String what);
}
