/// A client of a Kvant node.
module kvant.client {
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.core;
    requires java.net.http;

    exports kvant.client;
}
