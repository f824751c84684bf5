package org.fencepost.bench.ph1;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.fencepost.bench.ph1.KeyValues.Aborted;
import org.fencepost.bench.ph1.KeyValues.Found;
import org.fencepost.bench.ph1.KeyValues.Tx;

/** TPC-C's consistency conditions (clause 3.3.2), as far as {@link Tpcc} has what they are about, by scans of its tables in one snapshot. */
final class TpccConditions {

    static final String HOLDS = "holds";

    private static final int PAGE = 1_000;

    /** Of a warehouse, or of a district; sums start at 0. */
    private static final class Sums {
        private final Map<List<Long>, Long> sums = new TreeMap<>((a, b) -> Arrays.compare(a.stream().mapToLong(Long::longValue).toArray(),
                b.stream().mapToLong(Long::longValue).toArray()));

        void add(long value, long... of) {
            sums.merge(Arrays.stream(of).boxed().toList(), value, Long::sum);
        }

        void max(long value, long... of) {
            sums.merge(Arrays.stream(of).boxed().toList(), value, Math::max);
        }
    }

    private final Tx tx;
    private final List<String> sentences = new ArrayList<>();

    TpccConditions(Tx tx) {
        this.tx = tx;
    }

    private void each(String table, Found found) throws IOException, Aborted {
        byte[][] next = {new byte[] {0}};
        int[] read = {PAGE};
        while (read[0] > 0) { // a page may have fewer keys than were asked for
            read[0] = 0;
            tx.scan(table, next[0], PAGE, (key, value) -> {
                found.accept(key, value);
                read[0]++;
                next[0] = Arrays.copyOf(key, key.length + 1);
            });
        }
    }

    List<String> sentences() throws IOException, Aborted {
        Sums warehouses = new Sums();
        Sums districtsOf = new Sums();
        Sums districts = new Sums();
        Sums ordersGiven = new Sums();
        each(Tpcc.WAREHOUSE, (key, row) -> warehouses.add(Numbers.of(row, Tpcc.WAREHOUSE_YTD), Numbers.ofKey(key, 0)));
        each(Tpcc.DISTRICT, (key, row) -> {
            districtsOf.add(Numbers.of(row, Tpcc.DISTRICT_YTD), Numbers.ofKey(key, 0));
            districts.add(Numbers.of(row, Tpcc.DISTRICT_YTD), Numbers.ofKey(key, 0), Numbers.ofKey(key, 1));
            ordersGiven.add(Numbers.of(row, Tpcc.DISTRICT_NEXT_ORDER) - 1, Numbers.ofKey(key, 0), Numbers.ofKey(key, 1));
        });
        Sums paidWarehouses = new Sums();
        Sums paidDistricts = new Sums();
        long[] paid = {0, 0, 0};
        each(Tpcc.HISTORY, (key, row) -> {
            long amount = Numbers.of(row, Tpcc.HISTORY_AMOUNT);
            paidWarehouses.add(amount, Numbers.ofKey(key, 0));
            paidDistricts.add(amount, Numbers.ofKey(key, 0), Numbers.ofKey(key, 1));
            paid[0] += amount;
        });
        each(Tpcc.CUSTOMER, (key, row) -> {
            paid[1] -= Numbers.of(row, Tpcc.CUSTOMER_BALANCE);
            paid[2] += Numbers.of(row, Tpcc.CUSTOMER_PAID);
        });
        compare("1, W_YTD is the sum of D_YTD", warehouses, districtsOf);
        orders(ordersGiven);
        compare("8, W_YTD is the sum of H_AMOUNT", warehouses, paidWarehouses);
        compare("9, D_YTD is the sum of H_AMOUNT", districts, paidDistricts);
        single("10 and 12, balances and payments of all customers are what the history has", paid[0] == paid[1] && paid[0] == paid[2],
                paid[0] + ", " + paid[1] + " and " + paid[2]);
        return sentences;
    }

    private void orders(Sums given) throws IOException, Aborted {
        Sums last = new Sums();
        Sums count = new Sums();
        Sums lines = new Sums();
        Sums lastNew = new Sums();
        Sums countNew = new Sums();
        each(Tpcc.ORDERS, (key, row) -> {
            last.max(Numbers.ofKey(key, 2), Numbers.ofKey(key, 0), Numbers.ofKey(key, 1));
            count.add(1, Numbers.ofKey(key, 0), Numbers.ofKey(key, 1));
            lines.add(Numbers.of(row, Tpcc.ORDER_LINES), Numbers.ofKey(key, 0), Numbers.ofKey(key, 1));
        });
        each(Tpcc.NEW_ORDERS, (key, row) -> {
            lastNew.max(Numbers.ofKey(key, 2), Numbers.ofKey(key, 0), Numbers.ofKey(key, 1));
            countNew.add(1, Numbers.ofKey(key, 0), Numbers.ofKey(key, 1));
        });
        Sums linesFound = new Sums();
        Map<Long, Long> ordered = new HashMap<>();
        each(Tpcc.ORDER_LINE, (key, row) -> {
            linesFound.add(1, Numbers.ofKey(key, 0), Numbers.ofKey(key, 1));
            ordered.merge(0L, Numbers.of(row, Tpcc.LINE_QUANTITY), Long::sum);
        });
        long[] taken = {0};
        each(Tpcc.STOCK, (key, row) -> taken[0] += Numbers.of(row, Tpcc.STOCK_YTD));
        compare("2, D_NEXT_O_ID - 1 is the last O_ID", given, last);
        compare("2, and the last NO_O_ID", given, lastNew);
        compare("3, no order is missing between the first and the last", last, count);
        compare("3, nor a new one", lastNew, countNew);
        compare("4, the sum of O_OL_CNT is the number of lines", lines, linesFound);
        single("S_YTD of all stock is what was ordered", taken[0] == ordered.getOrDefault(0L, 0L), taken[0] + " and " + ordered.getOrDefault(0L, 0L));
    }

    /** What is in neither is 0. */
    private void compare(String condition, Sums one, Sums other) {
        Sums difference = new Sums();
        difference.sums.putAll(one.sums);
        other.sums.forEach((of, value) -> difference.sums.merge(of, -value, Long::sum));
        List<List<Long>> wrong = difference.sums.entrySet().stream().filter(each -> each.getValue() != 0).map(Map.Entry::getKey).toList();
        single(condition, wrong.isEmpty(), wrong.isEmpty() ? "" : wrong.size() + " of " + difference.sums.size() + ", at " + wrong.get(0) + " "
                + one.sums.getOrDefault(wrong.get(0), 0L) + " and " + other.sums.getOrDefault(wrong.get(0), 0L));
    }

    private void single(String condition, boolean holds, String found) {
        sentences.add(condition + ": " + (holds ? HOLDS : "VIOLATED, " + found));
    }
}
