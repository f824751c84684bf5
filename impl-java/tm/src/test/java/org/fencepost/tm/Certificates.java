package org.fencepost.tm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.fencepost.tm.wire.TlsFiles;

/** An authority and certificates that it signs, made with the JDK's keytool. */
public final class Certificates {

    private static final String PASSWORD = "changeit";

    private final Path directory;

    public Certificates(Path directory) throws Exception {
        this.directory = directory;
        keytool("-genkeypair", "-alias", "ca", "-dname", "CN=authority", "-ext", "bc:c");
        write("ca.pem", "CERTIFICATE", certificate("ca"));
    }

    Path authority() {
        return directory.resolve("ca.pem");
    }

    /** Signed by the authority; the host is a subject alternative name such as ip:127.0.0.1. */
    public TlsFiles signed(String name, String host) throws Exception {
        keytool("-genkeypair", "-alias", name, "-dname", "CN=" + name);
        Path request = directory.resolve(name + ".csr");
        Path signed = directory.resolve(name + ".signed");
        keytool("-certreq", "-alias", name, "-file", request.toString());
        keytool("-gencert", "-alias", "ca", "-ext", "san=" + host, "-rfc", "-infile", request.toString(), "-outfile", signed.toString());
        return files(name, signed);
    }

    /** Signed by itself only. */
    public TlsFiles stranger(String name) throws Exception {
        keytool("-genkeypair", "-alias", name, "-dname", "CN=" + name, "-ext", "san=ip:127.0.0.1");
        write(name + ".pem", "CERTIFICATE", certificate(name));
        return files(name, directory.resolve(name + ".pem"));
    }

    private TlsFiles files(String name, Path certificate) throws Exception {
        Key key = store().getKey(name, PASSWORD.toCharArray());
        return new TlsFiles(certificate, write(name + ".key", "PRIVATE KEY", key.getEncoded()), authority());
    }

    private byte[] certificate(String name) throws Exception {
        Certificate certificate = store().getCertificate(name);
        return certificate.getEncoded();
    }

    private KeyStore store() throws Exception {
        return KeyStore.getInstance(directory.resolve("keys.p12").toFile(), PASSWORD.toCharArray());
    }

    private Path write(String file, String kind, byte[] content) throws IOException {
        String text = "-----BEGIN " + kind + "-----\n" + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content)
                + "\n-----END " + kind + "-----\n";
        return Files.writeString(directory.resolve(file), text);
    }

    private void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-keystore", directory.resolve("keys.p12").toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
        if (arguments[0].equals("-genkeypair")) {
            command.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", "2"));
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new IOException("keytool failed: " + output);
        }
    }
}
