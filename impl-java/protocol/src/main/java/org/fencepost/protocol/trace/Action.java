package org.fencepost.protocol.trace;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The actions of the specifications: specs/OmidLL.tla, most of which are those of specs/Fragola.tla, what specs/FastPath.tla,
 * specs/OmidTwoPhase.tla, specs/Checkpoints.tla, specs/OnePhase.tla, specs/IndexFence.tla and specs/TMFailover.tla add,
 * specs/Mediator.tla, and specs/PH1.tla. One word names the action there, the method here (with a small first letter), and the event of a
 * trace. The source is VLDB'18 unless it says otherwise; "recovery" marks what a real system needs and the paper leaves out.
 */
public enum Action {

    Begin("Alg. 3, Begin; Alg. 2, lines 1-3"),
    EndReadOnly("recovery: a transaction without writes has nothing to commit"),
    Write("Alg. 3, Write"),
    Rollback("section 2.2: none of its changes takes effect"),
    CleanUp("Alg. 3, Commit: ds.remove(k, ts_r)"),

    ReadOwnWrite("erratum to Alg. 3, Read: own writes come first"),
    GetRecord("Alg. 3, Read: rec <- ds.get"),
    GetCommitEntry("Alg. 3, Read: CT.get"),
    HealCommitCell("recovery: a reader completes a post-commit"),
    InvalidatePending("Alg. 3, Read: CT.check&mutate(nil, invalid)"),
    ReReadRecord("Alg. 3, Read: re-read rec from ds"),
    RemoveFalseInvalidation("Alg. 3, Read: CT.remove"),

    RequestCommit("Alg. 3, Commit: TM.commit; Alg. 2, lines 4-10"),
    LoseCommitAnswer("recovery: the manager's answer is lost, no commit entry was sent"),
    WriteCommitEntry("Alg. 3, Commit: CT.check&mutate(nil, ts_c)"),
    PostCommit("Alg. 3, Commit: ds.put(k, ts_r, commit, ts_c)"),
    RemoveCommitEntry("Alg. 3, Commit: CT.remove"),

    Evict("section 3.2: the conflict table is in memory, hence bounded"),

    RaiseWatermark("recovery: commits below it are refused from now on"),
    HealLeftover("recovery: the commit cell of a committed transaction whose client died"),
    InspectLeftover("recovery: no commit entry for a leftover"),
    CleanLeftover("recovery: the record of a transaction that can no longer commit"),
    CollectEntry("Alg. 3, Commit: garbage-collect CT entry; of dead clients"),
    CollectVersion("section 2.4: garbage collection of redundant data"),
    CollectTombstone("section 2.4: garbage collection of redundant data"),

    RefusePut("Alg. 4, prePut"),
    BumpClock("Alg. 4, preGet"),
    AwaitFastWrites("section 4.3: enforces atomic execution"),
    Brc("Alg. 4, brc"),
    Br("Alg. 4, br"),
    Bwc("Alg. 4, bwc"),
    Wc("Alg. 4, wc"),
    StoreVersion("Alg. 4, line 15"),
    LoseFastAnswer("recovery: a fast-path write is not answered, and not sent again"),
    BootstrapClock("section 4.3: bump the local clock to the value of the global clock"),

    Prewrite("section 5.1.1: writes and validates keys using check&mutate"),
    MeetIntent("section 3.1: write intent resolution"),
    RefusePrewrite("section 5.1.1: writes and validates keys using check&mutate"),
    RemoveIntent("section 3.1: write intent resolution"),

    Checkpoint("section 6.2: checkpoint"),
    TakeSnapshot("section 6.2: snapshot"),
    ReadAll("section 6.2: snapshot-all"),
    DropLevel("section 2.4: garbage collection of redundant data"),

    BufferWrite("not in the papers: one-phase commit; logged when it is about to be sent"),
    CommitBlindly("not in the papers: one-phase commit; begin and certification in one"),
    AcceptBatch("not in the papers: one-phase commit"),
    RefuseBatch("not in the papers: one-phase commit"),
    StoreBatch("not in the papers: one-phase commit"),
    LoseBatchAnswer("recovery: a batch is not answered"),
    ResolveBatch("recovery: the rows tell what became of a batch"),
    PutBeside("not in the papers: certification while the puts are under way"),
    KeepTimestamp("not in the papers: certification while the puts are under way"),
    WriteIndex("section 6.1: an additional update of the secondary index"),
    Fence("section 6.1: fence"),
    BuildBegin("erratum to section 6.1: the snapshot of a build is a transaction's"),
    Populate("section 6.1: population"),
    EndPart("recovery: a build takes longer than a transaction lives"),
    Ready("section 6.1: the index can become available to queries"),

    ObserveLease("section 3.2.1: the lease object"),
    AcquireLease("section 3.2.1: at most one holds the lease"),
    RenewLease("Alg. 2, line 12"),
    HoldLease("Alg. 2, line 13: the lease is renewed"),
    TakeOver("section 3.2.1: the new primary starts from maxTS"),
    TakeOverAgain("erratum to Alg. 2, line 17: the first swap was refused"),
    ExtendEpoch("Alg. 2, lines 15-17"),
    HoldEpoch("Alg. 2, line 17: CAS(maxTS)"),
    FindEpoch("recovery: the answer to a swap was lost"),
    Halt("Alg. 2, lines 14 and 17"),

    FenceRead("SYSTOR'14 Alg. 3, line 87"),
    TxGet("SYSTOR'14 Alg. 1 and 4, txGet"),
    GiveUp("SYSTOR'14 Alg. 1, line 8"),
    TxPut("SYSTOR'14 sec. 4.2"),
    TxTryCommit("SYSTOR'14 Alg. 2, txTryCommit"),
    FenceCommit("SYSTOR'14 Alg. 3, line 90"),
    TxCheckConflict("SYSTOR'14 Alg. 3, txCheckConflict"),
    TsoAbort("SYSTOR'14 Alg. 1, line 33"),
    AppendLog("SYSTOR'14 Alg. 1, line 37"),
    WriteBack("SYSTOR'14 Alg. 1, line 38"),
    TxCommit("SYSTOR'14 Alg. 1, line 39"),
    LocalCommit("SYSTOR'14 Alg. 1, line 15"),
    NativePut("SYSTOR'14 Alg. 3, line 84"),
    StorePut("SYSTOR'14 Alg. 3, line 85"),
    NativeGet("SYSTOR'14 Alg. 3, get"),
    SyncServer("SYSTOR'14 sec. 4.3: periodically increments the global clock"),
    HelperAbort("SYSTOR'14 sec. 2: transactions that failed to log their changes are aborted"),
    SettleEntry("SYSTOR'14 sec. 4.3: until their final status is discovered by the helper process"),
    Replay("SYSTOR'14 sec. 2: replays them in an idempotent way"),
    CloseLog("SYSTOR'14 sec. 2: aborts all transactions that failed to log their changes"),
    OpenTso("SYSTOR'14 sec. 2: before becoming operational"),

    GetCell("pH1 Alg. 3: NoSQL.read"),
    GetVersion("pH1 Alg. 3: NPVS.read"),
    AppendRecord("recovery: the values of a flush that may not end"),
    Save("pH1 sec. 4-B, Flush: the NPVS is updated with the existing tuples"),
    Put("pH1 sec. 4-B, Flush: the write-set is flushed to the NoSQL database"),
    FindPut("recovery: an earlier flusher has put it"),
    Complete("pH1 sec. 4-B, Flush: only after that, update the current start timestamp"),
    Answer("pH1 sec. 4-A: Try Commit"),
    Redo("recovery: the flush of an instance that died"),
    AppendAbort("recovery: an instance that died before it had a record"),
    Release("recovery: an aborted transaction is not in the way of the horizon");

    /** Those of specs/OmidLL.tla; but who reads for others is not traced, and PassPending is nobody else's. */
    public static final Set<Action> OF_OMID_LL = Collections.unmodifiableSet(EnumSet.range(Begin, CollectTombstone));
    /** What specs/FastPath.tla adds. */
    public static final Set<Action> OF_FAST_PATH = Collections.unmodifiableSet(EnumSet.range(RefusePut, BootstrapClock));
    /** What specs/OmidTwoPhase.tla adds. */
    public static final Set<Action> OF_TWO_PHASE = Collections.unmodifiableSet(EnumSet.range(Prewrite, RemoveIntent));
    /** Those of specs/Fragola.tla: no commit table, from which anything would be removed, and a conflict table that forgets nothing. */
    public static final Set<Action> OF_FRAGOLA = ofFragola();
    /** What specs/Checkpoints.tla adds. */
    public static final Set<Action> OF_CHECKPOINTS = Collections.unmodifiableSet(EnumSet.range(Checkpoint, DropLevel));
    /** What specs/OnePhase.tla adds. */
    public static final Set<Action> OF_ONE_PHASE = Collections.unmodifiableSet(EnumSet.range(BufferWrite, KeepTimestamp));
    /** What specs/IndexFence.tla adds. */
    public static final Set<Action> OF_INDEX_FENCE = Collections.unmodifiableSet(EnumSet.range(WriteIndex, Ready));
    /** What a process of specs/TMFailover.tla does beside answering requests. */
    public static final Set<Action> OF_TM_FAILOVER = Collections.unmodifiableSet(EnumSet.range(ObserveLease, Halt));
    /** Those of specs/Mediator.tla. */
    public static final Set<Action> OF_MEDIATOR = ofMediator();
    /** Those of specs/PH1.tla. */
    public static final Set<Action> OF_PH1 = ofPH1();

    private static Set<Action> ofFragola() {
        Set<Action> actions = EnumSet.copyOf(OF_OMID_LL);
        actions.removeAll(EnumSet.of(RemoveFalseInvalidation, RemoveCommitEntry));
        return Collections.unmodifiableSet(actions);
    }

    private static Set<Action> ofPH1() {
        Set<Action> actions = EnumSet.range(GetCell, Release);
        actions.addAll(EnumSet.of(Begin, Write, ReadOwnWrite, EndReadOnly, Rollback, RequestCommit, Evict, CollectTombstone));
        return Collections.unmodifiableSet(actions);
    }

    private static Set<Action> ofMediator() {
        Set<Action> actions = EnumSet.range(FenceRead, OpenTso);
        actions.addAll(EnumSet.of(Begin, EndReadOnly, Evict));
        return Collections.unmodifiableSet(actions);
    }

    private final String source;

    Action(String source) {
        this.source = source;
    }

    /** Where in the paper the action comes from. */
    public String source() {
        return source;
    }

    /** Name of the Java method that performs the action. */
    public String method() {
        return Character.toLowerCase(name().charAt(0)) + name().substring(1);
    }
}
