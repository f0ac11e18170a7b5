package kvant.server;

/// What the live page of a node, `/ui`, has.
public enum LivePageKind {
    /// Like `KEYS` at the port of the clients; at an administrative one, where there are no keys, like `FIGURES`.
    AUTO,
    /// Figures and a key browser. At an administrative port the paths of keys are then there too.
    KEYS,
    /// Figures alone.
    FIGURES,
    /// There is no such page.
    OFF;

    boolean isShown() {
        return this != OFF;
    }

    /// @param apart whether the page is at an administrative port
    boolean hasKeys(boolean apart) {
        return this == KEYS || this == AUTO && !apart;
    }
}
