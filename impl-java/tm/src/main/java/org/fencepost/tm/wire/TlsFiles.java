package org.fencepost.tm.wire;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/**
 * TLS with certificates on both sides: who has none that the authority signed can neither ask nor answer.
 *
 * @param certificate PEM: own certificate, then those between it and the authority's; a server's names its host
 * @param key         PEM, PKCS#8: its private key, without a password
 * @param authority   PEM: certificates that the other side's must be signed with
 */
public record TlsFiles(Path certificate, Path key, Path authority) {

    /** Throws IllegalArgumentException, with a sentence, if one of them cannot be read. */
    public static TlsFiles readable(Path certificate, Path key, Path authority) {
        for (Path file : new Path[] {certificate, key, authority}) {
            if (!Files.isReadable(file)) {
                throw new IllegalArgumentException("The TLS file " + file + " cannot be read.");
            }
        }
        return new TlsFiles(certificate, key, authority);
    }

    public SslContext forServer() throws SSLException {
        return build(SslContextBuilder.forServer(certificate.toFile(), key.toFile()).clientAuth(ClientAuth.REQUIRE));
    }

    public SslContext forClient() throws SSLException {
        return build(SslContextBuilder.forClient().keyManager(certificate.toFile(), key.toFile()));
    }

    /** Makes a client's handler insist that the server's certificate names the host it connects to. */
    public static SslHandler verifying(SslHandler handler) {
        SSLParameters parameters = handler.engine().getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        handler.engine().setSSLParameters(parameters);
        return handler;
    }

    private SslContext build(SslContextBuilder builder) throws SSLException {
        return builder.trustManager(authority.toFile()).protocols("TLSv1.3", "TLSv1.2").build();
    }
}
