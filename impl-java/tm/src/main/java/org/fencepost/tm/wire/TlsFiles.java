package org.fencepost.tm.wire;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * TLS with certificates on both sides: who has none that the authority signed can neither ask nor answer.
 *
 * @param certificate PEM: own certificate, then those between it and the authority's; a server's names its host
 * @param key         PEM, PKCS#8: its private key, without a password
 * @param authority   PEM: certificates that the other side's must be signed with
 */
public record TlsFiles(Path certificate, Path key, Path authority) {

    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

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

    public SSLContext forClient() throws SSLException {
        SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK).keyManager(certificate.toFile(), key.toFile());
        return ((JdkSslContext) build(builder)).context();
    }

    /** A client's socket over one that is connected. It insists that the server's certificate names the host. */
    public static SSLSocket over(Socket connected, SSLContext context, String host, int port) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(connected, host, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setProtocols(PROTOCOLS);
        socket.setSSLParameters(parameters);
        return socket;
    }

    private SslContext build(SslContextBuilder builder) throws SSLException {
        return builder.trustManager(authority.toFile()).protocols(PROTOCOLS).build();
    }
}
