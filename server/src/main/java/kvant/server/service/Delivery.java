package kvant.server.service;

/// What travels through a [LoopMailbox].
interface Delivery {

    /// Called on the event loop of the mailbox.
    void arrive();
}
