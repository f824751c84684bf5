package org.fencepost.tm.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which lines list which subjects, and which lines are none. */
class AuthorizationTest {

    @TempDir
    Path directory;

    private Authorization authorization(String text) throws IOException {
        return Authorization.read(Files.writeString(directory.resolve("roles"), text));
    }

    private void assertRights(long rights, String line, String subject) throws IOException {
        assertEquals(rights, authorization("# a remark\n\n  " + line + "\r\n").rights(subject), line + " for " + subject);
    }

    @Test
    void allPartsCountInTheirOrder() throws IOException {
        long client = Role.CLIENT.rights();
        assertRights(client, "client CN=alice", "CN=alice");
        assertRights(client, "client cn=alice, O=Example", "CN=alice,O=Example");
        assertRights(client, "client CN=a\\,b,O=Example", "CN=a\\,b,O=Example");
        assertRights(0, "client CN=alice", "CN=Alice");
        assertRights(0, "client CN=alice", "CN=alice,O=Elsewhere");
        assertRights(0, "client CN=alice", "O=Elsewhere,CN=alice");
        assertRights(0, "client CN=alice,O=Example", "CN=alice");
        assertRights(0, "client CN=alice,O=Example", "O=Example,CN=alice");
        assertRights(0, "client CN=alice", "CN=mallory\\,CN=alice");
        assertRights(0, "client CN=alice", "CN=alice+UID=7");
    }

    @Test
    void starsStandForPartsOfAValueAndForTheRest() throws IOException {
        long server = Role.REGION_SERVER.rights();
        assertRights(server, "region-server CN=rs-*.example.org,O=Example", "CN=rs-17.example.org,O=Example");
        assertRights(server, "region-server CN=*,O=Example", "CN=anyone,O=Example");
        assertRights(server, "region-server CN=rs,*", "CN=rs");
        assertRights(server, "region-server CN=rs, *", "CN=rs,OU=a,O=b");
        assertRights(0, "region-server CN=rs-*.example.org", "CN=rs-17.example.org.evil");
        assertRights(0, "region-server CN=*,O=Example", "CN=a,OU=b,O=Example");
        assertRights(0, "region-server CN=rs,*", "OU=a,CN=rs");
        assertRights(0, "region-server CN=*", "CN=a,O=b");
    }

    @Test
    void rolesAddUp() throws IOException {
        Authorization both = authorization("client CN=a\nregion-server CN=a\noperator CN=b\n");
        assertEquals(Role.CLIENT.rights() | Role.REGION_SERVER.rights(), both.rights("CN=a"));
        assertEquals(Role.ALL, both.rights("CN=b"));
        assertEquals(0, both.rights("CN=c"));
        assertEquals(0, both.rights("no subject at all"));
    }

    @Test
    void whatMakesNoSenseIsToldWithItsLine() throws IOException {
        assertRefused("client CN=a\nreader CN=b\n", "Line 2 of ", "'reader'");
        assertRefused("client CN=a\n\nclient\n", "Line 3 of ", "no subject");
        assertRefused("client alice\n", "Line 1 of ", "'alice'");
        assertRefused("client CN=a+UID=b\n", "Line 1 of ", "no subject such as");
        assertRefused("client ,*\n", "Line 1 of ", "no subject such as");
        assertRefused("# nobody\n", "lists no subjects", "");
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> Authorization.read(directory.resolve("none")));
        assertTrue(e.getMessage().contains("cannot be read"), e.getMessage());
        Files.write(directory.resolve("bytes"), new byte[] {'c', (byte) 0xff});
        assertThrows(IllegalArgumentException.class, () -> Authorization.read(directory.resolve("bytes")));
        Files.write(directory.resolve("long"), new byte[2 << 20]);
        assertThrows(IllegalArgumentException.class, () -> Authorization.read(directory.resolve("long")));
    }

    private void assertRefused(String text, String where, String why) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> authorization(text));
        assertTrue(e.getMessage().contains(where) && e.getMessage().contains(why), e.getMessage());
    }

    @Test
    void anotherTakesItsPlaceWhenTheFileChanges() throws IOException {
        Authorization first = authorization("client CN=a\n");
        assertSame(first, first.readAgain(directory.resolve("roles")));
        Files.writeString(directory.resolve("roles"), "client CN=b\n");
        assertNotSame(first, first.readAgain(directory.resolve("roles")));
        assertEquals(0, first.readAgain(directory.resolve("roles")).rights("CN=a"));
    }

    /** A subject is as long as its owner likes. */
    @Test
    void longSubjectsAreSoonCompared() throws IOException {
        Authorization stars = authorization("client CN=" + "*a".repeat(50) + "b\n");
        assertTimeoutPreemptively(Duration.ofSeconds(5), () -> assertEquals(0, stars.rights("CN=" + "a".repeat(20_000))));
    }
}
