package kvant.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import kvant.lab.process.ServerOutput.ErrorLine;
import org.junit.jupiter.api.Test;

/// Which line of what a server wrote says why it ended.
class ErrorLineTest {

    /// A node says it in one line; hints, log lines and what the JVM writes at its end follow.
    @Test
    void aNodesOwnLineIsTheReason() {
        String output = """
                10:15:30.000 INFO starting
                kvant: cannot listen on 127.0.0.1:80: permission denied
                [0.731s][warning][gc] something of the log
                10:15:31.000 INFO closed
                """;

        assertThat(ErrorLine.of(output)).isEqualTo("cannot listen on 127.0.0.1:80: permission denied");
    }

    @Test
    void whatTheJvmDoesNotLikeIsTheReason() {
        assertThat(ErrorLine.of("""
                Unrecognized VM option 'Xno'
                Error: Could not create the Java Virtual Machine.
                Error: A fatal exception has occurred. Program will exit.
                """)).isEqualTo("Unrecognized VM option 'Xno'");
        assertThat(ErrorLine.of("""
                Error occurred during initialization of VM
                Too small maximum heap
                """)).isEqualTo("Too small maximum heap");
    }

    @Test
    void anExceptionIsTheReasonAndNotItsStack() {
        assertThat(ErrorLine.of("""
                ready soon
                Exception in thread "main" java.lang.IllegalStateException: broken
                \tat a.B.c(B.java:1)
                Caused by: java.io.IOException: no disk
                \tat a.B.d(B.java:2)
                \t... 3 more
                """)).isEqualTo("Caused by: java.io.IOException: no disk");
    }

    @Test
    void elseItIsTheLastLine() {
        assertThat(ErrorLine.of("something before\n\nit cannot be started like this\n"))
                .isEqualTo("it cannot be started like this");
        assertThat(ErrorLine.of("\n \n")).isEmpty();
        assertThat(ErrorLine.of("x".repeat(400))).hasSize(303).endsWith("...");
        assertThat(ErrorLine.of("a\u0007b")).isEqualTo("a?b");
    }
}
