package kvant.server.service;

import kvant.engine.Engine;
import kvant.engine.LocalEngine;
import kvant.engine.RemoteEngine;
import kvant.server.execute.RunnableCall.Progress;
import kvant.server.request.Request;

/// How calls for single keys, and writes, meet the engine: one way for each of its two kinds, chosen once when the
/// service is made. Any thread may call.
sealed interface PointAccess permits LocalAccess, RemoteAccess {

    static PointAccess to(Engine engine, GetAnswers answers) {
        return switch (engine) {
            case LocalEngine local -> new LocalAccess(local, answers);
            case RemoteEngine remote -> new RemoteAccess(remote, answers);
        };
    }

    /// Carries a read out; may block where the engine answers at once.
    ///
    /// @return whether the outcome is there; else the engine delivers it through the mailbox
    boolean get(Call call, Request.Get get);

    /// Carries a read out as far as that is possible without blocking.
    Progress tryGet(Call call, Request.Get get);

    /// Whether the engine would wait for a disk to judge a condition on a key, and all other writes with it.
    boolean isCold(byte[] key);

    /// Reads what a condition on a key needs into memory; may block. What goes wrong shows when it is judged.
    void warm(byte[] key);

    /// Hands a write to the engine, which delivers it through the mailbox.
    ///
    /// @param acks how many replicas the request asks for
    void submit(EntityWrite write, Call call, int acks);

    /// How many replicas a request may ask for.
    int replicas();
}
