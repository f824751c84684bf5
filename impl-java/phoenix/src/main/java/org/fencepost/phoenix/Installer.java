package org.fencepost.phoenix;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.util.Properties;
import java.util.logging.Logger;

/**
 * Puts Fencepost in place in clients: {@link java.sql.DriverManager} makes an instance of each driver that it finds on the class path before
 * it opens a connection. It accepts no URL itself.
 */
public final class Installer implements Driver {

    static {
        FencepostTransactionProvider.install();
    }

    @Override
    public Connection connect(String url, Properties properties) {
        return null;
    }

    @Override
    public boolean acceptsURL(String url) {
        return false;
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 0;
    }

    @Override
    public int getMinorVersion() {
        return 1;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger(Installer.class.getPackageName());
    }
}
