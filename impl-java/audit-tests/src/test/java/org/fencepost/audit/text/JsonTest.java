package org.fencepost.audit.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    private record Pair(String left, List<Integer> right) {}

    @Test
    void whatIsWrittenIsRead() {
        Map<String, Object> value = new LinkedHashMap<>();
        value.put("text", "\"quoted\" \\ and\nbroken\tand ∉");
        value.put("numbers", List.of(0L, -12L, 1.5, 1e300));
        value.put("nothing", Arrays.asList(null, true, false));
        value.put("empty", List.of(Map.of(), List.of(), ""));
        assertEquals(value, Json.read(Json.write(value)));
    }

    @Test
    void aRecordIsAnObject() {
        assertEquals(Map.of("left", "a", "right", List.of(1L)), Json.read(Json.write(new Pair("a", List.of(1)))));
    }

    @Test
    void whatIsNoJsonIsRefused() {
        for (String text : List.of("", "{", "[1,", "[1 2]", "{\"a\" 1}", "{a:1}", "tru", "1.", "\"open", "[] []", "\"\\u12", "-")) {
            assertThrows(IllegalArgumentException.class, () -> Json.read(text), text);
        }
    }
}
