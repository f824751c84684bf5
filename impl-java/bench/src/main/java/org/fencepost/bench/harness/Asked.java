package org.fencepost.bench.harness;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What was asked of the servers, as they count it themselves.
 *
 * @param syncs      of HBase's log
 * @param ofHBase    requests to the region server
 * @param ofManager  requests to the transaction manager that were answered
 * @param unanswered messages to it that nobody waits for: the ends of transactions
 */
public record Asked(long syncs, long ofHBase, long ofManager, long unanswered) {

    private static final Pattern REQUESTS = Pattern.compile("^fencepost_tm_requests_total\\{type=\"(\\w+)\"} (\\d+)$", Pattern.MULTILINE);
    private static final String END = "end";

    /** @param metrics the transaction manager's page */
    static Asked of(long syncs, long ofHBase, URL metrics) throws IOException {
        String page;
        try (InputStream in = metrics.openStream()) {
            page = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        long ofManager = 0;
        long unanswered = 0;
        Matcher line = REQUESTS.matcher(page);
        while (line.find()) {
            long count = Long.parseLong(line.group(2));
            if (line.group(1).equals(END)) {
                unanswered += count;
            } else {
                ofManager += count;
            }
        }
        return new Asked(syncs, ofHBase, ofManager, unanswered);
    }

    public Asked since(Asked before) {
        return new Asked(syncs - before.syncs, ofHBase - before.ofHBase, ofManager - before.ofManager, unanswered - before.unanswered);
    }
}
