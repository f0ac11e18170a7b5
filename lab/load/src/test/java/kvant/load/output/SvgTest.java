package kvant.load.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.StringReader;
import java.util.List;
import java.util.Locale;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class SvgTest {

    private static final String HOSTILE = "a\"<b>&'\u0000\u001b\uFFFFc";
    private static final String AS_READ = "a\"<b>&'   c";

    private static Document parsed(Svg svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(svg.toString())));
    }

    private static Element only(Document document, String name) {
        assertThat(document.getElementsByTagName(name).getLength()).isOne();
        return (Element) document.getElementsByTagName(name).item(0);
    }

    @Test
    void whateverTextIsItStaysText() throws Exception {
        Document picture = parsed(Svg.file(10, 10, HOSTILE, 12).text(1, 2, HOSTILE, "class", HOSTILE));

        assertThat(only(picture, "title").getTextContent()).isEqualTo(AS_READ);
        assertThat(only(picture, "text").getTextContent()).isEqualTo(AS_READ);
        assertThat(only(picture, "text").getAttribute("class")).isEqualTo(AS_READ);
    }

    @Test
    void aCoordinateHasOneDecimalInEveryLocale() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.GERMANY);
            assertThat(Svg.file(9, 9, "b", 13).line(1, 2.25, 1e3 / 3, -0.5).toString())
                    .contains("<line x1=\"1\" y1=\"2.3\" x2=\"333.3\" y2=\"-0.5\"/>");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void aFigureThatIsNotKnownDoesNotCostThePicture() {
        List<Svg.Point> points = List.of(new Svg.Point(1, Double.NaN), new Svg.Point(2, Double.NEGATIVE_INFINITY));

        assertThat(Svg.file(9, 9, "b", 13).polyline(points).toString()).contains("points=\"1,0 2,0\"");
    }

    @Test
    void curvesAreToldApartWithoutColours() {
        assertThat(List.of(0, 1, 2, 3, 4, 5).stream()
                        .map(number -> Svg.Look.of(number).dashes())
                        .distinct())
                .hasSize(6);
        assertThat(Svg.Look.of(6)).isEqualTo(Svg.Look.of(0));
    }

    @Test
    void anAxisGoesByProportionOrByPowersOfTenAndEndsAtItsEdges() {
        assertThat(Scale.linear(0, 50).place(10)).isEqualTo(0.2);
        assertThat(Scale.linear(0, 50).place(60)).isOne();
        Scale decades = Scale.decades(20, 3000);
        assertThat(decades.ticks()).containsExactly(10.0, 100.0, 1000.0, 10_000.0);
        assertThat(decades.place(100)).isEqualTo(1 / 3.0, within(1e-9));
        assertThat(decades.place(0)).isZero();
    }
}
