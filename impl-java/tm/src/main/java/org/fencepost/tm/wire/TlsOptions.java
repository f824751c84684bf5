package org.fencepost.tm.wire;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options that name {@link TlsFiles}, the same for all commands; all three or none. Public for those who provide commands. */
public final class TlsOptions {

    @Option(names = "--tls-cert", required = true, paramLabel = "PEM", description = "Own certificate chain.")
    private Path certificate;

    @Option(names = "--tls-key", required = true, paramLabel = "PEM", description = "Its private key, PKCS#8, without a password.")
    private Path key;

    @Option(names = "--tls-ca", required = true, paramLabel = "PEM", description = "Authorities that sign the other side's certificates.")
    private Path authority;

    /** Throws IllegalArgumentException for a file that is not there. */
    public TlsFiles files() {
        return TlsFiles.readable(certificate, key, authority);
    }
}
