package org.fencepost.audit.text;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Writes records, maps, lists, strings, numbers, Booleans and null as JSON, and reads JSON back into maps and lists. */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.USE_LONG_FOR_INTS)
            .enable(SerializationFeature.WRITE_ENUMS_USING_TO_STRING)
            // Of a record its components, and nothing that looks like a getter.
            .visibility(PropertyAccessor.ALL, Visibility.NONE).visibility(PropertyAccessor.FIELD, Visibility.ANY)
            .addModule(new SimpleModule().addSerializer(Path.class, new ToStringSerializer(Path.class)))
            .build();
    private static final DefaultIndenter INDENTER = new DefaultIndenter("  ", "\n");
    private static final ObjectWriter INDENTED = MAPPER.writer(new DefaultPrettyPrinter(Separators.createDefaultInstance()
            .withObjectFieldValueSpacing(Separators.Spacing.AFTER).withObjectEmptySeparator("").withArrayEmptySeparator(""))
                    .withObjectIndenter(INDENTER).withArrayIndenter(INDENTER));

    private Json() {}

    /** What reading needs, for another process' class path. */
    public static List<Path> places() {
        return Stream.of(Json.class, JsonMapper.class, JsonProcessingException.class, PropertyAccessor.class).map(Tlc::placeOf).toList();
    }

    /** The text, indented. */
    public static String write(Object value) {
        return write(INDENTED, value);
    }

    /** The same on one line, without its end. */
    public static String line(Object value) {
        return write(MAPPER.writer(), value);
    }

    private static String write(ObjectWriter writer, Object value) {
        try {
            return writer.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON can be made of a " + value.getClass().getName(), e);
        }
    }

    /**
     * Reads a value: objects as maps in their order, arrays as lists, numbers as Long or Double.
     *
     * @throws IllegalArgumentException where the text is no JSON, or an object names a field twice
     */
    public static Object read(String text) {
        try {
            return MAPPER.readValue(text, Object.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("no JSON: " + e.getOriginalMessage(), e);
        }
    }

    /** The line of a trace: an object without nesting, of text, longs and flags. Null if the text is none, or names a field twice. */
    @SuppressWarnings("unchecked") // JSON's names are strings
    public static Map<String, Object> flat(String text) {
        try {
            return read(text) instanceof Map<?, ?> object && object.values().stream().allMatch(Json::isFlat) ? (Map<String, Object>) object : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static boolean isFlat(Object value) {
        return value instanceof String || value instanceof Long || value instanceof Boolean;
    }
}
