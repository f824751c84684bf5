package org.fencepost.demo;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.fencepost.hbase.Fixture;
import org.fencepost.hbase.TestManagers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Fixture.Extension.class)
class DemoTest {

    @Test
    @Tag("long")
    void clientsDieAndTheTotalStaysIntact(Fixture hbase) throws Exception {
        TestManagers.up(Demo.COMMITS, new Demo.Here().connect(null, null)); // what the demo\'s region servers use
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        boolean intact = Demo.run(hbase.conf, new PrintStream(text, true));
        System.out.print(text);
        assertTrue(intact, text.toString());
        assertTrue(text.toString().contains(" dies "), text.toString());
    }
}
