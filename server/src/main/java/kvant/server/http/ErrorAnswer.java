package kvant.server.http;

/// The unchanging bytes of an error answer.
///
/// @param head status line and headers, but for `Date`, `Connection` and the line end before them
/// @param body the problem document
record ErrorAnswer(byte[] head, byte[] body) {}
