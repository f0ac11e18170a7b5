package kvant.mutants;

import java.nio.file.Path;

/// A deliberate fault, and the test that must fail because of it.
///
/// @param area its list, such as `engine-lsm/log`
/// @param place in that list, as `FILE:LINE`
/// @param file changed source or resource as written in the list: a name, or the end of a path
/// @param module of that file
/// @param find text that occurs once in the file; all white space is equivalent
/// @param survives reason why no test can fail, or empty
record Mutant(
        String area,
        String place,
        String name,
        Path module,
        String file,
        String find,
        String replace,
        Test test,
        String survives) {

    /// @param method of the class or a superclass, or empty for all methods
    record Test(Path module, String type, String method) {

        static Test parse(Path module, String text) {
            int hash = text.indexOf('#');
            return hash < 0
                    ? new Test(module, text, "")
                    : new Test(module, text.substring(0, hash), text.substring(hash + 1));
        }

        String label() {
            return method.isEmpty() ? type : type + "#" + method;
        }
    }

    String label() {
        return area + ": " + name;
    }

    boolean mustBeCaught() {
        return survives.isEmpty();
    }

    boolean matches(String filter) {
        return label().contains(filter) || file.contains(filter) || test.label().contains(filter);
    }
}
