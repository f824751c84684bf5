@IMPORTS@

/** A user's program. The test puts the guides' code in place of the lines with @, and its own addresses in place of theirs. */
public final class Consumer {

    private static final byte[] F = toBytes("f");
    private static final byte[] BALANCE = toBytes("balance");
    private static final byte[] STATUS = toBytes("status");
    private static final TableName accounts = TableName.valueOf("accounts");
    private static final TableName statuses = TableName.valueOf("statuses");

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("transactions")) {
            transactions();
        } else {
            more(arguments[0]);
        }
        System.out.println("Done: " + arguments[0] + ".");
        System.exit(0);
    }

    static void transactions() throws Exception {
@TRANSACTIONS@
    }

    /** In a process of its own, after the other one. */
    static void more(String what) throws Exception {
        Configuration conf = HBaseConfiguration.create();
        conf.set("hbase.zookeeper.quorum", "zk1:2181");
        try (Connection connection = ConnectionFactory.createConnection(conf); Admin admin = connection.getAdmin()) {
            if (what.equals("mediator")) {
                mediator(conf, connection, admin);
                return;
            }
            try (RemoteTransactionManager manager = new RemoteTransactionManager(RemoteTransactionManager.Settings.of("zk1:2181"));
                 TransactionClient client = TransactionClient.open(conf, manager)) {
                expect(7, client, "bob");
                try (Transaction tx = client.begin()) {
                    client.table(accounts).put(tx, new Put(toBytes("carol")).addColumn(F, BALANCE, toBytes(1L)));
                    tx.commit();
                }
                fast(connection, client);
                expect(2, client, "carol");
            }
        }
    }

    private static void expect(long balance, TransactionClient client, String name) {
        try (Transaction tx = client.begin()) {
            long found = toLong(client.table(accounts).get(tx, new Get(toBytes(name))).getValue(F, BALANCE));
            if (found != balance) {
                throw new IllegalStateException(name + " has " + found + ", not " + balance + ".");
            }
        }
    }

    static void fast(Connection connection, TransactionClient client) throws Exception {
@FAST@
    }

    private static byte[] guess(Result before) {
        return toBytes(before.isEmpty() ? "at home" : "anywhere");
    }

    static void mediator(Configuration conf, Connection connection, Admin admin) throws Exception {
@MEDIATOR@
        String status = Bytes.toString(connection.getTable(statuses).get(new Get(toBytes("alice"))).getValue(F, STATUS));
        if (!status.equals("at the lake")) {
            throw new IllegalStateException("Alice is " + status + ", and not at the lake.");
        }
    }
}
