package org.fencepost.tm.server;

import java.math.BigDecimal;
import org.HdrHistogram.Histogram;
import org.fencepost.protocol.manager.TransactionManager;
import org.fencepost.tm.mediator.StatusOracle;
import org.fencepost.tm.wire.Condition;

/** What the server counts, in plain fields: confined to the serving thread. */
final class Metrics {

    private static final long LONGEST_NANOS = 60_000_000_000L;
    private static final int[] BUCKET_MICROS =
            {10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 1_000_000};

    long begins;
    long commits;
    long ends;
    long fences;
    long others;
    long conflicts;
    long belowWatermark;
    long fenced;
    long noTimestamps;
    long committed;
    long foreign;
    long connectionsRefused;
    long connectionsBroken;
    long connectionsTurnedAway;
    long connectionsUnauthorized;
    long forbidden;
    long tooManyKeys;
    long halts;
    long mediatorBegins;
    long mediatorCommits;
    long mediatorConflicts;
    long mediatorBelowWatermark;
    long mediatorRecords;
    long helperCommitted;
    long helperAborted;
    /** From the receipt of a batch of requests to the flush of its answers, per request. */
    final Histogram latency = new Histogram(LONGEST_NANOS, 2);

    void countCommit(long answer) {
        commits++;
        if (answer > 0) {
            committed++;
        } else if (answer == TransactionManager.CONFLICT) {
            conflicts++;
        } else if (answer == TransactionManager.BELOW_WATERMARK) {
            belowWatermark++;
        } else if (answer == TransactionManager.FENCED) {
            fenced++;
        }
    }

    void countMediatorCommit(long answer) {
        if (answer > 0) {
            mediatorCommits++;
        } else if (answer == TransactionManager.CONFLICT) {
            mediatorConflicts++;
        } else {
            mediatorBelowWatermark++;
        }
    }

    void countHelped(boolean committed) {
        if (committed) {
            helperCommitted++;
        } else {
            helperAborted++;
        }
    }

    void answered(long nanos, int requests) {
        latency.recordValueWithCount(Math.max(0, Math.min(nanos, LONGEST_NANOS)), requests);
    }

    /** Prometheus text. */
    String render(Condition condition, int connections, int conflictEntriesUsed, int conflictEntries) {
        StringBuilder out = new StringBuilder(4096);
        type(out, "requests_total", "counter", "Requests received; a blind transaction is one, a commit.");
        sample(out, "requests_total{type=\"begin\"}", begins);
        sample(out, "requests_total{type=\"commit\"}", commits);
        sample(out, "requests_total{type=\"end\"}", ends);
        sample(out, "requests_total{type=\"fence\"}", fences);
        sample(out, "requests_total{type=\"other\"}", others);
        type(out, "commits_total", "counter", "Commit requests let pass.");
        sample(out, "commits_total", committed);
        type(out, "aborts_total", "counter", "Commit requests rejected.");
        sample(out, "aborts_total{cause=\"conflict\"}", conflicts);
        sample(out, "aborts_total{cause=\"below_watermark\"}", belowWatermark);
        sample(out, "aborts_total{cause=\"fenced\"}", fenced);
        type(out, "no_timestamps_total", "counter", "Requests rejected because the epoch was used up.");
        sample(out, "no_timestamps_total", noTimestamps);
        type(out, "foreign_requests_total", "counter", "Requests about another client's transaction, rejected or ignored.");
        sample(out, "foreign_requests_total", foreign);
        type(out, "connections", "gauge", "Clients connected.");
        sample(out, "connections", connections);
        type(out, "connections_closed_total", "counter", "Connections closed by the server.");
        sample(out, "connections_closed_total{cause=\"refused\"}", connectionsRefused);
        sample(out, "connections_closed_total{cause=\"broken\"}", connectionsBroken);
        sample(out, "connections_closed_total{cause=\"turned_away\"}", connectionsTurnedAway);
        sample(out, "connections_closed_total{cause=\"unauthorized\"}", connectionsUnauthorized);
        type(out, "requests_refused_total", "counter", "Requests that the client's role or its limits did not allow.");
        sample(out, "requests_refused_total{cause=\"forbidden\"}", forbidden);
        sample(out, "requests_refused_total{cause=\"too_many_keys\"}", tooManyKeys);
        type(out, "halts_total", "counter", "Times this process stopped being the primary.");
        sample(out, "halts_total", halts);
        type(out, "primary", "gauge", "1 while this process is the primary.");
        sample(out, "primary", condition == null ? 0 : 1);
        if (condition != null) {
            type(out, "epoch", "gauge", "First timestamp of the present tenure.");
            sample(out, "epoch", condition.epoch());
            type(out, "lease_remaining_seconds", "gauge", "Rest of the lease.");
            out.append("fencepost_tm_lease_remaining_seconds ").append(condition.leaseNanos() / 1e9).append('\n');
            type(out, "next_timestamp", "gauge", "Everything handed out is below.");
            sample(out, "next_timestamp", condition.nextTimestamp());
            type(out, "low_watermark", "gauge", "Transactions that began below it abort at commit.");
            sample(out, "low_watermark", condition.lowWatermark());
        }
        type(out, "conflict_table_entries_used", "gauge", "Keys in the conflict table.");
        sample(out, "conflict_table_entries_used", conflictEntriesUsed);
        type(out, "conflict_table_entries", "gauge", "Keys the conflict table has room for.");
        sample(out, "conflict_table_entries", conflictEntries);
        type(out, "latency_seconds", "histogram", "Receipt of a request to flush of its answer.");
        for (int micros : BUCKET_MICROS) {
            sample(out, "latency_seconds_bucket{le=\"" + seconds(micros) + "\"}", latency.getCountBetweenValues(0, micros * 1_000L));
        }
        sample(out, "latency_seconds_bucket{le=\"+Inf\"}", latency.getTotalCount());
        out.append("fencepost_tm_latency_seconds_sum ").append(latency.getMean() * latency.getTotalCount() / 1e9).append('\n');
        sample(out, "latency_seconds_count", latency.getTotalCount());
        return out.toString();
    }

    /**
     * More Prometheus text, where there is Mediator.
     *
     * @param oracle null unless it is open
     */
    String renderMediator(StatusOracle oracle) {
        StringBuilder out = new StringBuilder(1024);
        type(out, "mediator_begins_total", "counter", "Mediator's transactions begun.");
        sample(out, "mediator_begins_total", mediatorBegins);
        type(out, "mediator_commits_total", "counter", "Commit timestamps given by Mediator's oracle.");
        sample(out, "mediator_commits_total", mediatorCommits);
        type(out, "mediator_aborts_total", "counter", "Commit timestamps that Mediator's oracle rejected.");
        sample(out, "mediator_aborts_total{cause=\"conflict\"}", mediatorConflicts);
        sample(out, "mediator_aborts_total{cause=\"below_watermark\"}", mediatorBelowWatermark);
        type(out, "mediator_records_total", "counter", "Records of the log received from clients, repeated ones included.");
        sample(out, "mediator_records_total", mediatorRecords);
        type(out, "mediator_helped_total", "counter", "Transactions that the helper has brought to their end.");
        sample(out, "mediator_helped_total{end=\"committed\"}", helperCommitted);
        sample(out, "mediator_helped_total{end=\"aborted\"}", helperAborted);
        type(out, "mediator_open", "gauge", "1 while the oracle serves; 0 in recovery, or on standby.");
        sample(out, "mediator_open", oracle == null ? 0 : 1);
        if (oracle != null) {
            type(out, "mediator_ring_entries", "gauge", "Transactions in the ring.");
            sample(out, "mediator_ring_entries", oracle.size());
            type(out, "mediator_active_entries", "gauge", "Those among them that are not settled.");
            sample(out, "mediator_active_entries", oracle.active().length);
        }
        return out.toString();
    }

    private static String seconds(int micros) {
        return BigDecimal.valueOf(micros, 6).stripTrailingZeros().toPlainString();
    }

    private static void type(StringBuilder out, String name, String type, String help) {
        out.append("# HELP fencepost_tm_").append(name).append(' ').append(help).append('\n')
                .append("# TYPE fencepost_tm_").append(name).append(' ').append(type).append('\n');
    }

    private static void sample(StringBuilder out, String name, long value) {
        out.append("fencepost_tm_").append(name).append(' ').append(value).append('\n');
    }
}
