package org.fencepost.bench.ph1;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.fencepost.bench.ph1.KeyValues.Aborted;
import org.fencepost.bench.ph1.KeyValues.Tx;

/**
 * New-Order and Payment of TPC-C, half and half, on tables with one value for each key, and its consistency conditions. Scaled down, and no result of
 * TPC-C: fewer customers and items, no orders at first, no thinking, and no other transactions. A customer's last name leads to customers by a table of
 * its own, which nobody changes. Which warehouse a transaction is of is drawn, as by the benchmark of the paper.
 */
final class Tpcc implements Workload {

    static final String NEW_ORDER = "New-Order";
    static final String PAYMENT = "Payment";

    static final String WAREHOUSE = "warehouse";
    static final String DISTRICT = "district";
    static final String CUSTOMER = "customer";
    static final String NAMES = "names";
    static final String HISTORY = "history";
    static final String ORDERS = "orders";
    static final String NEW_ORDERS = "new_order";
    static final String ORDER_LINE = "order_line";
    static final String STOCK = "stock";
    static final String ITEM = "item";

    static final int DISTRICTS = 10;

    // The numbers of a row, and its size by TPC-C, clause 1.3. Money is in cents.
    static final int WAREHOUSE_YTD = 1;
    private static final int WAREHOUSE_BYTES = 89;
    static final int DISTRICT_YTD = 1;
    static final int DISTRICT_NEXT_ORDER = 2;
    private static final int DISTRICT_BYTES = 95;
    static final int CUSTOMER_BALANCE = 1;
    static final int CUSTOMER_PAID = 2;
    private static final int CUSTOMER_PAYMENTS = 3;
    private static final int CUSTOMER_BYTES = 655;
    static final int HISTORY_AMOUNT = 0;
    private static final int HISTORY_BYTES = 46;
    static final int ORDER_LINES = 1;
    private static final int ORDER_BYTES = 24;
    private static final int NEW_ORDER_BYTES = 8;
    static final int LINE_QUANTITY = 2;
    private static final int LINE_BYTES = 54;
    static final int STOCK_QUANTITY = 0;
    static final int STOCK_YTD = 1;
    private static final int STOCK_ORDERS = 2;
    private static final int STOCK_REMOTE = 3;
    private static final int STOCK_BYTES = 306;
    private static final int ITEM_PRICE = 0;
    private static final int ITEM_BYTES = 82;

    private static final int CUSTOMERS_OF_A_NAME = 3;
    private static final int ROWS_AT_ONCE = 100;
    private static final int FEWEST_LINES = 5;
    private static final int MOST_LINES = 15;
    private static final int HIGHEST_PAYMENT = 500_000;
    private static final int MOST_TAX = 2_000;

    /** Of a client, and its terminals are no other's. */
    private static final AtomicLong PAYMENTS = new AtomicLong();

    private final int warehouses;
    private final int customers;
    private final int items;

    /** @param customers of each district */
    Tpcc(int warehouses, int customers, int items) {
        this.warehouses = warehouses;
        this.customers = customers;
        this.items = items;
    }

    @Override
    public List<String> tables() {
        return List.of(WAREHOUSE, DISTRICT, CUSTOMER, NAMES, HISTORY, ORDERS, NEW_ORDERS, ORDER_LINE, STOCK, ITEM);
    }

    // ---- data

    private record Row(String table, byte[] key, byte[] value) {
    }

    @Override
    public List<Load> loads() {
        SplittableRandom random = new SplittableRandom(1);
        List<Row> rows = new ArrayList<>();
        for (int i = 1; i <= items; i++) {
            rows.add(new Row(ITEM, Numbers.key(i), Numbers.row(ITEM_BYTES, 100 + random.nextInt(9_901))));
        }
        for (int w = 1; w <= warehouses; w++) {
            rows.add(new Row(WAREHOUSE, Numbers.key(w), Numbers.row(WAREHOUSE_BYTES, random.nextInt(MOST_TAX), 0)));
            for (int i = 1; i <= items; i++) {
                rows.add(new Row(STOCK, Numbers.key(w, i), Numbers.row(STOCK_BYTES, 10 + random.nextInt(91), 0, 0, 0)));
            }
            for (int d = 1; d <= DISTRICTS; d++) {
                rows.add(new Row(DISTRICT, Numbers.key(w, d), Numbers.row(DISTRICT_BYTES, random.nextInt(MOST_TAX), 0, 1)));
                for (int c = 1; c <= customers; c++) {
                    rows.add(new Row(CUSTOMER, Numbers.key(w, d, c), Numbers.row(CUSTOMER_BYTES, random.nextInt(5_000), 0, 0, 0)));
                }
                for (int name = 0; name < names(); name++) {
                    long[] named = LongStream.iterate(name + 1, c -> c <= customers, c -> c + names()).toArray();
                    rows.add(new Row(NAMES, Numbers.key(w, d, name), Numbers.row(0, named)));
                }
            }
        }
        return IntStream.iterate(0, from -> from < rows.size(), from -> from + ROWS_AT_ONCE)
                .mapToObj(from -> load(rows.subList(from, Math.min(rows.size(), from + ROWS_AT_ONCE)))).toList();
    }

    private static Load load(List<Row> rows) {
        return tx -> {
            for (Row row : rows) {
                tx.put(row.table, row.key, row.value);
            }
        };
    }

    private int names() {
        return Math.max(1, customers / CUSTOMERS_OF_A_NAME);
    }

    // ---- transactions

    /** Not evenly: clause 2.1.6. */
    private static int uneven(SplittableRandom random, int range, int highest) {
        return ((random.nextInt(range + 1) | 1 + random.nextInt(highest)) + 7) % highest + 1;
    }

    private int customer(SplittableRandom random) {
        return uneven(random, 1_023, customers);
    }

    private int other(SplittableRandom random, int warehouse) {
        return warehouses == 1 ? warehouse : (warehouse - 1 + 1 + random.nextInt(warehouses - 1)) % warehouses + 1;
    }

    @Override
    public Job next(SplittableRandom random, long terminal) {
        return random.nextBoolean() ? newOrder(random) : payment(random, terminal);
    }

    private record Line(int item, int supplier, int quantity) {
    }

    private record NewOrder(int warehouse, int district, int customer, List<Line> lines) implements Job {

        @Override
        public String kind() {
            return NEW_ORDER;
        }

        /** Items are read before anything is written: an unused one ends it, also where nothing can be rolled back. */
        @Override
        public boolean run(Tx tx) throws IOException, Aborted {
            long[] prices = new long[lines.size()];
            for (int i = 0; i < prices.length; i++) {
                byte[] item = tx.get(ITEM, Numbers.key(lines.get(i).item));
                if (item == null) {
                    return false;
                }
                prices[i] = Numbers.of(item, ITEM_PRICE);
            }
            tx.get(WAREHOUSE, Numbers.key(warehouse));
            tx.get(CUSTOMER, Numbers.key(warehouse, district, customer));
            byte[] home = tx.get(DISTRICT, Numbers.key(warehouse, district));
            long order = Numbers.of(home, DISTRICT_NEXT_ORDER);
            tx.put(DISTRICT, Numbers.key(warehouse, district), Numbers.add(home, DISTRICT_NEXT_ORDER, 1));
            tx.put(ORDERS, Numbers.key(warehouse, district, order), Numbers.row(ORDER_BYTES, customer, lines.size()));
            tx.put(NEW_ORDERS, Numbers.key(warehouse, district, order), Numbers.row(NEW_ORDER_BYTES));
            for (int i = 0; i < prices.length; i++) {
                Line line = lines.get(i);
                byte[] stock = tx.get(STOCK, Numbers.key(line.supplier, line.item));
                tx.put(STOCK, Numbers.key(line.supplier, line.item), taken(stock, line));
                tx.put(ORDER_LINE, Numbers.key(warehouse, district, order, i + 1),
                        Numbers.row(LINE_BYTES, line.item, line.supplier, line.quantity, line.quantity * prices[i]));
            }
            return true;
        }

        private byte[] taken(byte[] stock, Line line) {
            long left = Numbers.of(stock, STOCK_QUANTITY) - line.quantity;
            byte[] taken = Numbers.add(stock, STOCK_QUANTITY, (left < 10 ? 91 : 0) - line.quantity);
            taken = Numbers.add(Numbers.add(taken, STOCK_YTD, line.quantity), STOCK_ORDERS, 1);
            return line.supplier == warehouse ? taken : Numbers.add(taken, STOCK_REMOTE, 1);
        }
    }

    private Job newOrder(SplittableRandom random) {
        int warehouse = 1 + random.nextInt(warehouses);
        List<Line> lines = new ArrayList<>();
        for (int left = FEWEST_LINES + random.nextInt(MOST_LINES - FEWEST_LINES + 1); left > 0; left--) {
            lines.add(new Line(uneven(random, 8_191, items), random.nextInt(100) == 0 ? other(random, warehouse) : warehouse, 1 + random.nextInt(10)));
        }
        if (random.nextInt(100) == 0) {
            lines.set(lines.size() - 1, new Line(items + 1, warehouse, 1)); // clause 2.4.1.4
        }
        return new NewOrder(warehouse, 1 + random.nextInt(DISTRICTS), customer(random), lines);
    }

    /** @param name of the customer; -1: it is known by its number */
    private record Payment(int warehouse, int district, int customerWarehouse, int customerDistrict, int customer, int name, long amount, long terminal, long number)
            implements
                Job {

        @Override
        public String kind() {
            return PAYMENT;
        }

        @Override
        public boolean run(Tx tx) throws IOException, Aborted {
            byte[] house = tx.get(WAREHOUSE, Numbers.key(warehouse));
            tx.put(WAREHOUSE, Numbers.key(warehouse), Numbers.add(house, WAREHOUSE_YTD, amount));
            byte[] home = tx.get(DISTRICT, Numbers.key(warehouse, district));
            tx.put(DISTRICT, Numbers.key(warehouse, district), Numbers.add(home, DISTRICT_YTD, amount));
            byte[] key = Numbers.key(customerWarehouse, customerDistrict, name < 0 ? customer : named(tx));
            byte[] payer = Numbers.add(Numbers.add(tx.get(CUSTOMER, key), CUSTOMER_BALANCE, -amount), CUSTOMER_PAID, amount);
            tx.put(CUSTOMER, key, Numbers.add(payer, CUSTOMER_PAYMENTS, 1));
            tx.put(HISTORY, Numbers.key(warehouse, district, terminal, number), Numbers.row(HISTORY_BYTES, amount));
            return true;
        }

        /** The one in the middle: clause 2.5.2.2. */
        private long named(Tx tx) throws IOException, Aborted {
            byte[] named = tx.get(NAMES, Numbers.key(customerWarehouse, customerDistrict, name));
            return Numbers.of(named, (Numbers.count(named) + 1) / 2 - 1);
        }
    }

    private Job payment(SplittableRandom random, long terminal) {
        int warehouse = 1 + random.nextInt(warehouses);
        int district = 1 + random.nextInt(DISTRICTS);
        boolean local = random.nextInt(100) < 85;
        return new Payment(warehouse, district, local ? warehouse : other(random, warehouse), local ? district : 1 + random.nextInt(DISTRICTS), customer(random),
                random.nextInt(100) < 60 ? uneven(random, 255, names()) - 1 : -1, 100 + random.nextInt(HIGHEST_PAYMENT), terminal, PAYMENTS.incrementAndGet());
    }

    @Override
    public List<String> check(Tx tx) throws IOException, Aborted {
        return new TpccConditions(tx).sentences();
    }
}
