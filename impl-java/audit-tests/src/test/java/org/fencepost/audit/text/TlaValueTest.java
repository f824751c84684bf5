package org.fencepost.audit.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlaValueTest {

    @Property(tries = 300)
    void whatIsPrintedIsReadBack(@ForAll("values") TlaValue value) {
        assertEquals(value, TlaValue.parse(value.toString()));
        assertEquals(value, TlaValue.parse("\n  " + value.toString().replace(" ", "\n   ") + "\n"));
    }

    @Provide
    Arbitrary<TlaValue> values() {
        Arbitrary<TlaValue> atoms = Arbitraries.of("0", "-1", "42", "TRUE", "c1", "NoTxn").map(TlaValue.Atom::new);
        Arbitrary<TlaValue> strings = Arbitraries.of("", "idle", "a\\\"b", "x_y").map(TlaValue.Str::new);
        return Arbitraries.recursive(() -> Arbitraries.oneOf(atoms, strings), TlaValueTest::deeper, 0, 3);
    }

    private static Arbitrary<TlaValue> deeper(Arbitrary<TlaValue> inner) {
        Arbitrary<TlaValue> sets = inner.list().ofMaxSize(3).map(l -> new TlaValue.SetOf(new LinkedHashSet<>(l)));
        Arbitrary<TlaValue> tuples = inner.list().ofMaxSize(3).map(l -> new TlaValue.Tuple(List.copyOf(l)));
        Arbitrary<TlaValue> functions = Arbitraries.maps(inner, inner).ofMinSize(1).ofMaxSize(3).map(m -> new TlaValue.Fun(copy(m)));
        Arbitrary<TlaValue> records = Arbitraries.maps(Arbitraries.of("n", "by", "key").map(s -> (TlaValue) new TlaValue.Str(s)), inner)
                .ofMinSize(1).map(m -> new TlaValue.Fun(copy(m)));
        return Arbitraries.oneOf(sets, tuples, functions, records);
    }

    private static Map<TlaValue, TlaValue> copy(Map<? extends TlaValue, ? extends TlaValue> map) {
        return new LinkedHashMap<>(map);
    }

    @Test
    void readsWhatTlcPrints() {
        assertEquals("[k1:[by=c2, n=1], k2:<c1, {}>]", TlaValue.parse("( k1 :> [by |-> c2, n |-> 1] @@\n  k2 :> <<c1, {}>> )").brief());
        assertEquals("{1, 2, 3}", TlaValue.parse("1..3").brief());
        assertEquals("{-1, 0}", TlaValue.parse("-1..0").brief());
        assertEquals(TlaValue.parse("{1, 2}"), TlaValue.parse("{2, 1}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<<1", "{1, }", "[a |-> ]", "(a :> 1 @@)", "\"open", "1 2", "}"})
    void refusesAnythingElse(String text) {
        assertThrows(IllegalArgumentException.class, () -> TlaValue.parse(text));
    }
}
