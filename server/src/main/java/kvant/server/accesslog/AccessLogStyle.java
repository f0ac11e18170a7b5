package kvant.server.accesslog;

/// How lines of the access log look.
public enum AccessLogStyle {
    /// As the combined format of web servers, and more behind it.
    TEXT,
    /// An object a line.
    JSON
}
