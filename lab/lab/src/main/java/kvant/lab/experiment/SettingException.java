package kvant.lab.experiment;

/// A setting of a phase that makes no sense; the message does not name it again.
final class SettingException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String key;

    SettingException(String key, String message) {
        super(message);
        this.key = key;
    }

    String key() {
        return key;
    }

    String explanation() {
        return "'" + key + "': " + getMessage();
    }
}
