package org.fencepost.phoenix.tests;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** JDBC in one line each. */
final class Sql {

    private Sql() {
    }

    static Connection open(String url, boolean autoCommit) throws SQLException {
        return open(url, autoCommit, Map.of());
    }

    /** @param settings of Phoenix, beside that it has transactions */
    static Connection open(String url, boolean autoCommit, Map<String, String> settings) throws SQLException {
        Properties properties = new Properties();
        properties.putAll(settings);
        properties.setProperty("phoenix.transactions.enabled", "true");
        Connection connection = DriverManager.getConnection(url, properties);
        connection.setAutoCommit(autoCommit);
        return connection;
    }

    static int run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
            return statement.getUpdateCount();
        }
    }

    /** Each row's columns with a blank in between. */
    static List<String> rows(Connection connection, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement(); ResultSet found = statement.executeQuery(sql)) {
            while (found.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
                    row.add(found.getString(i));
                }
                rows.add(String.join(" ", row));
            }
        }
        return rows;
    }

    static long number(Connection connection, String sql) throws SQLException {
        return Long.parseLong(rows(connection, sql).get(0));
    }
}
