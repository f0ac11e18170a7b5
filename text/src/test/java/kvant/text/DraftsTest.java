package kvant.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DraftsTest {

    /// Options of a door.
    public record Door(int width, String colour) {

        public Door {
            if (width < 1) {
                throw new IllegalArgumentException("a door is 1 cm wide or more, not " + width);
            }
        }

        /// In the making.
        public static final class Draft {
            public int width = 80;
            public String colour = "white";
        }
    }

    /// One of its fields is missing.
    public static final class Unfinished {
        public int width = 80;
    }

    @Test
    void aDraftBeginsWithTheDefaultsAndAChangeLeavesTheRest() {
        Door door = Drafts.made(Door.class, new Door.Draft());
        Door wide = Drafts.changed(Door.class, door, new Door.Draft(), d -> d.width = 120);
        Door red = Drafts.changed(Door.class, wide, new Door.Draft(), d -> d.colour = "red");

        assertThat(door).isEqualTo(new Door(80, "white"));
        assertThat(red).isEqualTo(new Door(120, "red"));
    }

    @Test
    void whatTheRecordRefusesIsRefusedInItsOwnWords() {
        Door door = Drafts.made(Door.class, new Door.Draft());

        assertThatThrownBy(() -> Drafts.changed(Door.class, door, new Door.Draft(), d -> d.width = 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a door is 1 cm wide or more, not 0");
    }

    @Test
    void aDraftWithoutOneOfTheFieldsIsNoDraft() {
        assertThatThrownBy(() -> Drafts.made(Door.class, new Unfinished()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is no draft of");
    }
}
