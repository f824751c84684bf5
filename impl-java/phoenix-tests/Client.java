import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;

/** A program of a user's, who knows JDBC: for `install`. Runs statements from a file in a transaction each, then a query, whose rows it prints. */
final class Client {

    public static void main(String[] arguments) throws Exception {
        try (Connection connection = DriverManager.getConnection(arguments[0]); Statement statement = connection.createStatement()) {
            for (String sql : Files.readString(Path.of(arguments[1])).split(";")) {
                if (!sql.isBlank()) {
                    statement.execute(sql);
                    connection.commit();
                }
            }
            try (ResultSet rows = statement.executeQuery(arguments[2])) {
                while (rows.next()) {
                    System.out.println("read " + rows.getString(1));
                }
            }
        }
        System.exit(0);
    }
}
